import { styleText } from 'node:util';

/** Styled where a terminal shows it, plain in files, pipes and with NO_COLOR. */
export function paint(style: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string): string {
  const plain = !process.stdout.isTTY || process.env['NO_COLOR'] !== undefined;
  return plain ? text : styleText(style, text);
}
