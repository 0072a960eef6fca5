import { type Code, codeOf } from './code.js';

/** A picture larger than this is shown as it came: reading it would take more memory than it is worth. */
const LARGEST_SIDE = 2_048;
/** Sides that a code can have, in modules. */
const [SMALLEST, LARGEST, STEP] = [21, 177, 4];
/** A finder pattern, the square in three corners of a code, is this many modules wide. */
const FINDER_MODULES = 7;

/** A picture in black and white. */
interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly isDark: (x: number, y: number) => boolean;
}

/**
 * Reads the modules of a code from its picture, so that it can be drawn sharp at any size. Null for a picture that is
 * anything but an upright grid of dark and light squares (a logo, round dots, blurred edges): that is shown as it came.
 */
export async function readPicture(png: Blob): Promise<Code | null> {
  const bitmap = await createImageBitmap(png);
  try {
    if (Math.max(bitmap.width, bitmap.height) > LARGEST_SIDE) return null;
    return modulesOf(blackAndWhite(bitmap));
  } finally {
    bitmap.close();
  }
}

function blackAndWhite(picture: ImageBitmap): Bitmap {
  const { width, height } = picture;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) throw new Error('The picture could not be read');
  // What is transparent is seen on white.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, width, height);
  return {
    width,
    height,
    isDark(x, y) {
      const at = (y * width + x) * 4;
      return (data[at] ?? 255) + (data[at + 1] ?? 255) + (data[at + 2] ?? 255) < 384;
    },
  };
}

/** The code in a bitmap, or null unless every pixel has the colour of its module: what is drawn is what came. */
export function modulesOf(bitmap: Bitmap): Code | null {
  const box = darkBox(bitmap);
  if (!box) return null;
  const { left, top, size } = box;
  let finder = 0;
  while (finder < size && bitmap.isDark(left + finder, top)) finder++;
  const unit = finder / FINDER_MODULES;
  const side = size / unit;
  const isCode =
    Number.isInteger(unit) && side >= SMALLEST && side <= LARGEST && (side - SMALLEST) % STEP === 0;
  if (!isCode) return null;
  const isDark: IsDark = (row, column) => bitmap.isDark(left + column * unit, top + row * unit);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const module = isDark(Math.floor(y / unit), Math.floor(x / unit));
      if (bitmap.isDark(left + x, top + y) !== module) return null;
    }
  }
  return codeOf(side, isDark);
}

type IsDark = (row: number, column: number) => boolean;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly size: number;
}

/** The square that holds all that is dark: a code's finder patterns reach three of its corners. */
function darkBox({ width, height, isDark }: Bitmap): Box | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!isDark(x, y)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  const size = right - left + 1;
  return size > 0 && bottom - top + 1 === size ? { left, top, size } : null;
}
