/** What WCAG asks for between text and what is behind it. */
export const READABLE = 4.5;

/** The contrast of two colours as `#rrggbb`, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** White or near black, whichever is read better on the colour. */
export function readableOn(colour: string): string {
  const [white, black] = ['#ffffff', '#14171f'] as const;
  return contrast(colour, white) >= contrast(colour, black) ? white : black;
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
