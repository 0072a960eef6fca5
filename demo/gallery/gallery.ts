import './still.js';
import '../../src/define.js';
import type { PayCheckoutElement } from '../../src/index.js';
import { cannedTransport } from './canned-transport.js';
import type { GalleryScreen, Payer } from './screens/screen.js';
import { screens } from './screens.js';

/**
 * Every screen of the widget side by side. What is switched is in the address, so that a picture can be linked to:
 * ?lang=en&theme=dark&width=320&rail=PSE&only=breb&still
 *
 * With ?print every screen is there at three widths in both themes, side by side, to be looked through or printed.
 */

const KNOBS = { lang: 'es', theme: 'auto', width: '440', rail: 'ALL', only: '' } as const;
type Knob = keyof typeof KNOBS;

const root = document.documentElement;
const controls = document.querySelector<HTMLFormElement>('#controls')!;
const wall = document.querySelector<HTMLElement>('#wall')!;
const template = document.querySelector<HTMLTemplateElement>('#frame')!;

const settings = new Map(new URLSearchParams(location.search));
const setting = (knob: Knob) => settings.get(knob) ?? KNOBS[knob];
const printed = settings.has('print');

interface Look {
  readonly width: string;
  readonly theme: string;
}
const looks: readonly (Look | null)[] = printed
  ? ['light', 'dark'].flatMap((theme) => ['320', '440', '760'].map((width) => ({ width, theme })))
  : [null];

function applyLook(): void {
  root.lang = setting('lang');
  root.dataset['theme'] = setting('theme');
  root.dataset['width'] = setting('width');
  const rail = setting('rail');
  for (const figure of wall.querySelectorAll<HTMLElement>('figure')) {
    figure.hidden = rail !== 'ALL' && figure.dataset['rail'] !== 'ANY' && figure.dataset['rail'] !== rail;
  }
}

for (const field of controls.querySelectorAll('select')) {
  const knob = field.name as Knob;
  field.value = setting(knob);
  field.addEventListener('change', () => {
    settings.set(knob, field.value);
    history.replaceState(null, '', `?${new URLSearchParams([...settings])}`);
    applyLook();
  });
}

/** A place for a screen; its own look is that of the whole page, unless it is said. */
function frame(screen: GalleryScreen, look: Look | null): HTMLElement {
  const figure = (template.content.cloneNode(true) as DocumentFragment).querySelector('figure')!;
  figure.id = look ? `${screen.id}-${look.width}-${look.theme}` : screen.id;
  figure.dataset['rail'] = screen.rail;
  Object.assign(figure.dataset, look);
  // Ids are English, and say what a screen is.
  const title = setting('lang') === 'en' ? screen.id.replaceAll('-', ' ') : screen.title;
  figure.querySelector('figcaption')!.textContent = look ? `${title} · ${look.width}` : title;
  return figure;
}

/** A checkout on paper is a receipt without buttons. Here it is the screen that is printed. */
function printAsSeen({ shadowRoot }: PayCheckoutElement): void {
  for (const sheet of shadowRoot?.adoptedStyleSheets ?? []) {
    for (let index = sheet.cssRules.length - 1; index >= 0; index--) {
      const rule = sheet.cssRules[index];
      if (rule instanceof CSSMediaRule && rule.media.mediaText === 'print') sheet.deleteRule(index);
    }
  }
}

let fingers = false;
const realMedia = window.matchMedia.bind(window);
window.matchMedia = (query) => realMedia(fingers && query === '(pointer: coarse)' ? 'all' : query);

/** While this element is drawn the pointer is a finger. */
function touched(element: PayCheckoutElement): void {
  const drawing = element as unknown as { performUpdate(): void };
  const draw = drawing.performUpdate.bind(element);
  drawing.performUpdate = () => {
    fingers = true;
    draw();
    fingers = false;
  };
}

/** One element in its frame. Built one after another: a returning payer's id is in the address while it starts. */
async function show(screen: GalleryScreen, figure: HTMLElement): Promise<void> {
  const element = document.createElement('pay-checkout');
  // A page that a payer returns to need not know the order: the attempt's id is enough.
  if (!screen.returned)
    element.order = `gallery-${screen.id}-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  element.transport = cannedTransport(screen.answers());
  Object.assign(element, screen.properties);
  if (screen.touch) touched(element);
  const address = location.href;
  if (screen.returned) history.replaceState(null, '', withReturn(screen.returned));
  figure.append(element);
  if (screen.act) {
    await settle(element, (shown) => shown.phase !== 'loading' && !busy(shown));
    await seen();
    await screen.act(payerOf(element));
  }
  await settle(element, (shown) => shown.phase === screen.phase && !busy(shown));
  if (screen.returned) history.replaceState(null, '', address);
  if (printed) printAsSeen(element);
  figure.dataset['phase'] = element.phase;
}

function withReturn(id: string): string {
  const url = new URL(location.href);
  url.searchParams.set('pay-return', id);
  return url.href;
}

/** A view, a picture or the answer to "Ya pagué" is still on its way. */
const busy = ({ phase, shadowRoot }: PayCheckoutElement) =>
  phase === 'idle' || (phase !== 'loading' && !!shadowRoot?.querySelector('.bone, .qr.waiting, .wait .spin'));

/** Waits, a frame at a time, until the element shows what it should; a screen that never does is a mistake. */
async function settle(
  element: PayCheckoutElement,
  there: (element: PayCheckoutElement) => boolean,
): Promise<void> {
  const until = performance.now() + 20_000;
  await element.updateComplete;
  while (!there(element)) {
    if (performance.now() > until) throw new Error(`${element.phase} is not what should be shown`);
    await new Promise((resolve) => setTimeout(resolve, 16));
    await element.updateComplete;
  }
  await element.updateComplete;
}

/** A payer acts on what was drawn, and after it was said what is there. */
const seen = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));

function payerOf(element: PayCheckoutElement): Payer {
  const all = <Kind extends Element>(selector: string) => [
    ...element.shadowRoot!.querySelectorAll<Kind>(selector),
  ];
  const done = async () => {
    await settle(element, (shown) => !busy(shown));
    await seen();
  };
  const field = (id: string) => all<HTMLInputElement>(`#${id}`)[0]!;
  return {
    async press(part, index = 0) {
      const visible = all<HTMLElement>(`[part="${part}"]`).filter((button) => !button.closest('dialog'));
      visible.at(index)!.click();
      await done();
    },
    async sees(phase) {
      await settle(element, (shown) => shown.phase === phase && !busy(shown));
    },
    async tick(index) {
      all<HTMLElement>('[part="method"] input')[index]!.click();
      await done();
    },
    async type(id, text) {
      field(id).value = text;
      field(id).dispatchEvent(new InputEvent('input', { bubbles: true }));
      await done();
    },
    async toggle(part) {
      const details = all<HTMLDetailsElement>(`[part="${part}"]`)[0];
      // On a touch device there is no way on to the phone: it is the phone.
      if (!details) return;
      details.open = true;
      await new Promise((resolve) => setTimeout(resolve, 50));
      await settle(element, () => all(`[part="${part}"] .qr > *`).length > 0);
    },
    async offline() {
      dispatchEvent(new Event('offline'));
      await done();
    },
  };
}

const only = setting('only').split(',');
const shown = screens.filter(({ id }) => only[0] === '' || only.includes(id));
const frames = new Map(shown.flatMap((screen) => looks.map((look) => [frame(screen, look), screen])));
wall.append(...frames.keys());
root.classList.toggle('print', printed);
applyLook();
// What is drawn is as large as its letters: not those that stand in until the page's own have come.
await document.fonts.ready;
for (const first of [true, false]) {
  for (const [figure, screen] of frames) {
    if ((screen.first ?? false) !== first) continue;
    const top = scrollY;
    await show(screen, figure);
    // What the payer of a screen does takes the focus, and with it the page, there.
    if (scrollY !== top) scrollTo({ top, behavior: 'instant' });
  }
}
root.dataset['ready'] = 'true';
