/** Device pixels for each CSS pixel: sharp on a phone, and small enough to send. */
const SCALE = 2;
const WIDTH = 420;
const PAD = 24;
const LINE = 22;
const NAMES = 130;
const LOGO = 40;
/** Below the merchant, and around the amount. */
const GAP = 16;
const AMOUNT = 34;
const INK = '#14171f';

/**
 * The receipt as a picture to keep or to send, dark on white: who was paid, what became of it, the amount in large where
 * it was approved, and the rows as they are on the screen. Drawn by hand, because a page cannot photograph itself.
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
  const merchant = seen(root.querySelector('[part=merchant]'));
  const amount = root.querySelector('.positive') ? seen(root.querySelector('[part=amount]')) : '';
  const head = merchant ? LOGO + GAP : 0;
  const rowsTop = PAD + head + title.length * LINE + (amount ? AMOUNT + GAP : 0) + 12;
  const height = rows.reduce((sum, row) => sum + heightOf(row), rowsTop + PAD);

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
  if (merchant) {
    drawLogo(pen, root);
    pen.fillStyle = INK;
    pen.fillText(merchant, PAD + LOGO + GAP, PAD + 12, WIDTH - 2 * PAD - LOGO - GAP);
  }
  write(title, PAD, PAD + head, amount ? '#0f7a4d' : INK);
  if (amount) {
    pen.font = `700 ${AMOUNT}px ${family}`;
    // Smaller where it would not fit.
    pen.fillStyle = INK;
    pen.fillText(amount, PAD, PAD + head + title.length * LINE + 6, WIDTH - 2 * PAD);
  }
  pen.font = plain;
  let top = rowsTop;
  for (const row of rows) {
    pen.fillStyle = '#d9dee6';
    pen.fillRect(PAD, top, WIDTH - 2 * PAD, 1);
    write(row.name, PAD, top + 9, '#5a6272');
    write(row.value, PAD + NAMES + 16, top + 9, INK);
    top += heightOf(row);
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The picture could not be written');
  return new File([blob], `${name.replace(/[^\w-]+/g, '-')}.png`, { type: 'image/png' });
}

/** The merchant's own where the browser gives it away, else the letters that stand for it. */
function drawLogo(pen: CanvasRenderingContext2D, root: ParentNode): void {
  const given = root.querySelector<HTMLSlotElement>('slot[name=logo]')?.assignedElements()[0];
  const logo = document.createElement('canvas');
  logo.width = logo.height = LOGO * SCALE;
  try {
    const trial = logo.getContext('2d');
    trial?.drawImage(given as HTMLImageElement, 0, 0, logo.width, logo.height);
    // Refused for a picture of another site: it would keep the whole receipt from being saved.
    trial?.getImageData(0, 0, 1, 1);
    pen.drawImage(logo, PAD, PAD, LOGO, LOGO);
  } catch {
    pen.fillStyle = INK;
    pen.fillRect(PAD, PAD, LOGO, LOGO);
    pen.fillStyle = '#fff';
    pen.textAlign = 'center';
    pen.fillText(seen(root.querySelector('[part=logo]')), PAD + LOGO / 2, PAD + 13);
    pen.textAlign = 'start';
  }
}

/** What is there to look at: without the words that only a screen reader says. */
function seen(element: Element | null): string {
  const copy = element?.cloneNode(true) as Element | undefined;
  for (const hidden of copy?.querySelectorAll('.sr') ?? []) hidden.remove();
  for (const block of copy?.querySelectorAll('br, small') ?? []) block.before(' ');
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
