import { expect, nextFrame } from '@open-wc/testing';
import { readFile, writeFile } from '@web/test-runner-commands';
import type { GalleryScreen } from '../../demo/gallery/screens/screen.js';
import type { PayCheckoutElement, Transport } from '../../src/index.js';
import { EVENTS, clearPage, instead, nameOf } from './support/harness.js';

/**
 * What each button, link and choice of each screen of the gallery does: what it asks of the backend, what it tells the
 * page, where it leads, what is said and what has the focus then. test/data/presses.txt has it, to be read by a person
 * and compared here. `ACCEPT=1 npm test -- element/presses` writes it anew.
 */

/** Seen from the built file, which lies among the packages. */
const FILE = '../../../../test/data/presses.txt';
/** The same button does the same on further screens of a phase. */
const OFTEN_ENOUGH = 2;
/** Where the other links lead is part of what a screen reader finds (`accessibility`). */
const CONTROLS = 'button, summary, a[part], input[type=radio], input[type=checkbox]';

let pressing = false;
let happened: string[] = [];
const happens = (what: string) => void happened.push(what);

/** Everything that would leave the page, or ask its owner, is noted instead. */
function stayHere(): void {
  instead(navigator, 'clipboard', {
    writeText: (text: string) => Promise.resolve(happens(`copies ${text}`)),
  });
  instead(navigator, 'canShare', () => false);
  instead(window, 'print', () => {
    happens('prints');
    dispatchEvent(new Event('afterprint'));
  });
  instead(HTMLCanvasElement.prototype, 'toBlob', (give: BlobCallback) => give(new Blob(['drawn'])));
  const follow = (event: Event) => {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    if (!link) return;
    event.preventDefault();
    happens(
      link.download
        ? `saves ${link.download}`
        : `opens ${link.href.replace(location.origin + location.pathname, '')}`,
    );
  };
  document.addEventListener('click', follow);
  const { click } = HTMLAnchorElement.prototype;
  instead(HTMLAnchorElement.prototype, 'click', function (this: HTMLAnchorElement) {
    // A link that only saves a file is in no document.
    if (this.isConnected) click.call(this);
    else happens(`saves ${this.download}`);
  });
  for (const name of EVENTS) {
    document.addEventListener(name, (event) => {
      happens(name);
      if (pressing && name === 'checkout-redirect') event.preventDefault();
    });
  }
}

/** The same answers, and each question noted. Keys are random. */
function noted(transport: Transport): Transport {
  const bodyOf = ({
    order: _order,
    callbackUrl: _url,
    ...body
  }: object & { order: unknown; callbackUrl: unknown }) => JSON.stringify(body);
  return {
    offer: (...asked) => (happens('asks for the offer'), transport.offer(...asked)),
    createPayin: (body, options) => (
      happens(`creates a payin ${bodyOf(body)}`),
      transport.createPayin(body, options)
    ),
    createLink: (body, options) => (
      happens(`creates a link ${bodyOf(body)}`),
      transport.createLink(body, options)
    ),
    // Reads go by the clock, and news would change what was pressed.
    read: (...asked) => (pressing ? new Promise(() => undefined) : transport.read(...asked)),
  };
}

/** Until what is read stays the same for some frames. */
async function quiet(read: () => string): Promise<void> {
  let last = '';
  for (let same = 0, frames = 0; same < 4 && frames < 100; frames++) {
    await nextFrame();
    same = read() === last ? same + 1 : 0;
    last = read();
  }
}

describe('what is pressed on the screens', () => {
  it('does what was accepted', async () => {
    history.replaceState(null, '', '?still&lang=es');
    document.documentElement.lang = 'es';
    // Only now, because the clock of the screens stands by the address.
    await import('../../demo/gallery/still.js');
    await import('../../src/define.js');
    // All is here before anything is pressed.
    await Promise.all([
      import('../../src/element/paying/paying.js'),
      import('../../src/element/paying/key/key.js'),
      import('../../src/element/paying/pse/pse.js'),
      import('../../src/element/paying/link/link.js'),
      import('../../src/element/paying/codes/draw-qr.js'),
      import('../../src/element/paying/outcomes/receipt-picture.js'),
    ]);
    const { show } = await import('../../demo/gallery/show.js');
    const { cannedTransport } = await import('../../demo/gallery/canned-transport.js');
    const { screens } = await import('../../demo/gallery/screens.js');
    stayHere();
    const seen = new Map<string, number>();
    const lines: string[] = [];

    const open = async (screen: GalleryScreen) => {
      const element = await show(screen, document.body, noted(cannedTransport(screen.answers())));
      await quiet(() => stateOf(element).join());
      const controls = [...element.shadowRoot!.querySelectorAll<HTMLElement>(CONTROLS)].filter(
        (control) => control.checkVisibility?.() !== false && control.getClientRects().length > 0,
      );
      return { element, controls };
    };
    const close = (element: PayCheckoutElement) => {
      element.remove();
      sessionStorage.clear();
      localStorage.clear();
    };

    for (const screen of screens.filter(({ first }) => !first)) {
      lines.push(`# ${screen.id}`);
      let opened = await open(screen);
      for (const [index, name] of opened.controls.map(nameOf).entries()) {
        const what = `${screen.phase} ${name}`;
        seen.set(what, (seen.get(what) ?? 0) + 1);
        if (seen.get(what)! > OFTEN_ENOUGH) continue;
        if (!opened.element.isConnected) opened = await open(screen);
        const { element, controls } = opened;
        const before = stateOf(element);
        happened = [];
        pressing = true;
        controls[index]!.focus();
        controls[index]!.click();
        await quiet(() => [...happened, ...stateOf(element)].join());
        const changed = stateOf(element).filter((each) => !before.includes(each));
        lines.push(`${name}: ${[...happened, ...changed].join('; ') || 'nothing'}`);
        pressing = false;
        close(element);
      }
      close(opened.element);
    }
    clearPage();

    const text = `${lines.join('\n').replace(/\n# /g, '\n\n# ')}\n`;
    if (process.env['ACCEPT'] === '1') await writeFile({ path: FILE, content: text });
    const accepted = (await readFile({ path: FILE })) ?? '';
    expect(text.split('\n')).to.deep.equal(accepted.split('\n'));
  });
});

/** Where the payer is then. */
function stateOf({ phase, shadowRoot }: PayCheckoutElement): string[] {
  const { activeElement } = shadowRoot!;
  const said = shadowRoot!.querySelector('[role=status]')?.textContent?.trim();
  const dialog = shadowRoot!.querySelector('dialog[open]');
  const main = shadowRoot!.querySelector('[part=button]');
  return [
    `now ${phase}`,
    ...(dialog ? [`dialog “${dialog.getAttribute('aria-label')}”`] : []),
    ...(main ? [`next “${nameOf(main)}”`] : []),
    ...(said ? [`says “${said}”`] : []),
    `focus ${activeElement ? `“${nameOf(activeElement) || activeElement.textContent.trim()}”` : 'nowhere'}`,
  ];
}
