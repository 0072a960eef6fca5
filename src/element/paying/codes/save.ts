import type { Code } from './code.js';
import type { ReadyPicture } from './pictures.js';
import { pngBlob } from './png-blob.js';

/** Drawn codes are saved this large or larger; bank apps read small pictures badly. */
const SAVED_PX = 1_024;

/** What a payer does with a picture: of a code, or of a receipt. */

/** Whether this browser can hand a picture to other apps: asked once, and not at each render. */
export class Sharing {
  readonly works =
    'canShare' in navigator &&
    navigator.canShare({ files: [new File([''], 'qr.png', { type: 'image/png' })] });
}

/** Hands the code to the browser as a file to keep. Says whether it was saved. */
export async function save(picture: ReadyPicture, name: string): Promise<boolean> {
  return saveFile(await pngFile(picture, name));
}

/** Hands the code to another app, or saves it where that fails. */
export async function share(picture: ReadyPicture, name: string): Promise<boolean> {
  return shareFile(await pngFile(picture, name), name);
}

export function saveFile(file: File): boolean {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = file.name;
  link.click();
  // Revoked late: some browsers start to read only after the click returns.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}

/** Says whether the file was saved: where it could not be shared, and the payer did not close the sheet. */
export async function shareFile(file: File, title: string): Promise<boolean> {
  try {
    await navigator.share({ files: [file], title });
    return false;
  } catch (reason) {
    return !(reason instanceof DOMException && reason.name === 'AbortError') && saveFile(file);
  }
}

/** The service's own bytes as they came, or a drawn code with whole pixels for each module. */
async function pngFile(picture: ReadyPicture, name: string): Promise<File> {
  const blob = picture.png === null ? await rasterize(picture.code) : pngBlob(picture.png);
  return new File([blob], `${name.replace(/[^\w-]+/g, '-')}.png`, { type: 'image/png' });
}

async function rasterize({ modules, path }: Code): Promise<Blob> {
  const scale = Math.ceil(SAVED_PX / modules);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = modules * scale;
  const pen = canvas.getContext('2d');
  if (pen) {
    pen.scale(scale, scale);
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, modules, modules);
    pen.fillStyle = '#000';
    pen.fill(new Path2D(path));
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The picture could not be written');
  return blob;
}
