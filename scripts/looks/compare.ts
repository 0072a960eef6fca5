import { PNG } from 'pngjs';

/** A channel of a colour may differ by so much: letters are smoothed a little differently by every version. */
const SLACK = 28;
const BLACK = [0, 0, 0] as const;
const RED = [220, 0, 40] as const;

/** So many shades of each of red, green and blue are kept: pictures with fewer are smaller files. */
const SHADES = 16;

/** The picture at a fraction of its size, each dot the mean of those it stands for. */
export function shrunk({ width, height, data }: PNG, by: number): PNG {
  const small = new PNG({ width: Math.ceil(width / by), height: Math.ceil(height / by) });
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const sums = [0, 0, 0];
      let count = 0;
      for (let row = y * by; row < Math.min((y + 1) * by, height); row++) {
        for (let column = x * by; column < Math.min((x + 1) * by, width); column++) {
          for (let channel = 0; channel < 3; channel++)
            sums[channel]! += data[(row * width + column) * 4 + channel]!;
          count++;
        }
      }
      paint(
        small,
        x,
        y,
        sums.map((sum) => shade(sum / count)),
      );
    }
  }
  return small;
}

function shade(value: number): number {
  const step = 255 / (SHADES - 1);
  return Math.round(Math.round(value / step) * step);
}

/** Pictures in a row, with space between and below them in a colour that no screen has. */
export function sideBySide(pictures: readonly PNG[], gap: number): PNG {
  const width = pictures.reduce((sum, each) => sum + each.width, gap * (pictures.length - 1));
  const sheet = new PNG({ width, height: Math.max(...pictures.map(({ height }) => height)) });
  for (let pixel = 0; pixel < sheet.width * sheet.height; pixel++)
    sheet.data.set([120, 90, 120, 255], pixel * 4);
  let left = 0;
  for (const picture of pictures) {
    PNG.bitblt(picture, sheet, 0, 0, picture.width, picture.height, left, 0);
    left += picture.width + gap;
  }
  return sheet;
}

export interface Difference {
  /** How many dots differ. */
  readonly dots: number;
  /** What is there now, pale, with the dots that differ in red. */
  readonly picture: PNG;
}

/**
 * Where two pictures differ. A dot counts when its colour is found neither at its place nor right beside it in the other
 * picture: an edge may move by one dot, a block may not.
 */
export function difference(expected: PNG, actual: PNG): Difference {
  const width = Math.max(expected.width, actual.width);
  const height = Math.max(expected.height, actual.height);
  const picture = new PNG({ width, height });
  let dots = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const differs = !isFound(expected, actual, x, y) || !isFound(actual, expected, x, y);
      if (differs) dots++;
      const pale = colourAt(actual, x, y).map((value) => 170 + Math.round(value / 3));
      paint(picture, x, y, differs ? RED : pale);
    }
  }
  return { dots, picture };
}

/** Whether a dot lies within what the other picture has around that place. */
function isFound(of: PNG, within: PNG, x: number, y: number): boolean {
  const colour = colourAt(of, x, y);
  const there = colourAt(within, x, y);
  // Almost every dot ends here, which makes it quick.
  if (colour.every((value, channel) => Math.abs(value - there[channel]!) <= SLACK)) return true;
  return colour.every((value, channel) => {
    let [least, most] = [255, 0];
    for (let row = y - 1; row <= y + 1; row++) {
      for (let column = x - 1; column <= x + 1; column++) {
        const near = colourAt(within, column, row)[channel]!;
        least = Math.min(least, near);
        most = Math.max(most, near);
      }
    }
    return value >= least - SLACK && value <= most + SLACK;
  });
}

/** Black beyond the edge, so that a picture of another size differs. */
function colourAt({ width, height, data }: PNG, x: number, y: number): readonly number[] {
  if (x < 0 || y < 0 || x >= width || y >= height) return BLACK;
  const at = (y * width + x) * 4;
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

function paint(picture: PNG, x: number, y: number, colour: readonly number[]): void {
  picture.data.set([...colour, 255], (y * picture.width + x) * 4);
}
