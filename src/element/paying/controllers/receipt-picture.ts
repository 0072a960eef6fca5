/** Device pixels for each CSS pixel: sharp on a phone, and small enough to send. */
const SCALE = 2;
const WIDTH = 420;
const PAD = 24;
const LINE = 22;
const NAMES = 130;

/**
 * The receipt as a picture to keep or to send: its title and its rows as they are on the screen, dark on white. Drawn by
 * hand, because a page cannot photograph itself.
 */
export async function receiptPicture(root: ParentNode, name: string): Promise<File> {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('Nothing to draw with');
  const family = getComputedStyle(root.querySelector('[part=card]') ?? document.body).fontFamily;
  const plain = `15px ${family}`;
  const bold = `600 15px ${family}`;

  pen.font = bold;
  const title = lines(pen, seen(root.querySelector('[part=title]')), WIDTH - 2 * PAD);
  pen.font = plain;
  const rows = [...root.querySelectorAll('.receipt dl > div')].map((row) => ({
    name: lines(pen, seen(row.querySelector('dt')), NAMES),
    value: lines(pen, seen(row.querySelector('dd')), WIDTH - 2 * PAD - NAMES - 16),
  }));
  const heightOf = (row: (typeof rows)[number]) => Math.max(row.name.length, row.value.length) * LINE + 14;
  const height = rows.reduce((sum, row) => sum + heightOf(row), 2 * PAD + title.length * LINE + 12);

  canvas.width = WIDTH * SCALE;
  canvas.height = height * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, WIDTH, height);
  pen.textBaseline = 'top';
  const write = (texts: readonly string[], x: number, top: number, colour: string) => {
    pen.fillStyle = colour;
    texts.forEach((text, index) => pen.fillText(text, x, top + index * LINE));
  };
  pen.font = bold;
  write(title, PAD, PAD, '#14171f');
  pen.font = plain;
  let top = PAD + title.length * LINE + 12;
  for (const row of rows) {
    pen.fillStyle = '#d9dee6';
    pen.fillRect(PAD, top, WIDTH - 2 * PAD, 1);
    write(row.name, PAD, top + 9, '#5a6272');
    write(row.value, PAD + NAMES + 16, top + 9, '#14171f');
    top += heightOf(row);
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The picture could not be written');
  return new File([blob], `${name.replace(/[^\w-]+/g, '-')}.png`, { type: 'image/png' });
}

/** What is there to look at: without the words that only a screen reader says. */
function seen(element: Element | null): string {
  const copy = element?.cloneNode(true) as Element | undefined;
  for (const hidden of copy?.querySelectorAll('.sr') ?? []) hidden.remove();
  for (const block of copy?.querySelectorAll('br, small, .whole') ?? []) block.before(' ');
  return (copy?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** The text in lines no wider than this; a single long word is broken. */
function lines(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const done: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (pen.measureText(longer).width <= width) {
      line = longer;
      continue;
    }
    if (line) done.push(line);
    line = '';
    for (const letter of word) {
      if (line && pen.measureText(line + letter).width > width) {
        done.push(line);
        line = '';
      }
      line += letter;
    }
  }
  return [...done, line];
}
