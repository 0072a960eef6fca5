/** A QR code to draw: one shape, in units of one module. */
export interface Code {
  /** Modules a side, quiet zone included. */
  readonly modules: number;
  /** The dark modules, as the data of an SVG path. */
  readonly path: string;
}

/** What a scanner needs to find a code: this many light modules around it. */
export const QUIET_MODULES = 4;

/** The one way a code is drawn. Dark modules that touch in a row are one rectangle. */
export function codeOf(side: number, isDark: (row: number, column: number) => boolean): Code {
  let path = '';
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const start = column;
      while (column < side && isDark(row, column)) column++;
      const length = column - start;
      if (length > 0) path += `M${start + QUIET_MODULES} ${row + QUIET_MODULES}h${length}v1h-${length}z`;
    }
  }
  return { modules: side + 2 * QUIET_MODULES, path };
}

/** How wide a code is in a box, in CSS pixels: the most that leaves each module a whole number of device pixels. */
export function crispWidth(modules: number, boxWidth: number, pixelRatio: number): number {
  const perModule = Math.floor((boxWidth * pixelRatio) / modules);
  // A box too small for one pixel each is filled: an even code that small could not be read anyway.
  return perModule === 0 ? boxWidth : (perModule * modules) / pixelRatio;
}
