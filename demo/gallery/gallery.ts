import './still.js';
import '../../src/define.js';
import type { PayCheckoutElement } from '../../src/index.js';
import type { GalleryScreen } from './screens/screen.js';
import { screens } from './screens.js';
import { show } from './show.js';

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
    const element = await show(screen, figure);
    if (printed) printAsSeen(element);
    figure.dataset['phase'] = element.phase;
    // What the payer of a screen does takes the focus, and with it the page, there.
    if (scrollY !== top) scrollTo({ top, behavior: 'instant' });
  }
}
root.dataset['ready'] = 'true';
