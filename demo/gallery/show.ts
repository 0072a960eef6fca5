import type { PayCheckoutElement, Transport } from '../../src/index.js';
import { cannedTransport } from './canned-transport.js';
import type { GalleryScreen, Payer } from './screens/screen.js';

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

/**
 * One screen in its place, as its payer got there. Built one after another: a returning payer's id is in the address
 * while it starts.
 */
export async function show(
  screen: GalleryScreen,
  place: HTMLElement,
  transport: Transport = cannedTransport(screen.answers()),
): Promise<PayCheckoutElement> {
  const element = document.createElement('pay-checkout');
  // A page that a payer returns to need not know the order: the attempt's id is enough.
  if (!screen.returned)
    element.order = `gallery-${screen.id}-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  element.transport = transport;
  Object.assign(element, screen.properties);
  if (screen.touch) touched(element);
  const address = location.href;
  if (screen.returned) history.replaceState(null, '', withReturn(screen.returned));
  place.append(element);
  if (screen.act) {
    await settle(element, (shown) => shown.phase !== 'loading' && !busy(shown));
    await seen();
    await screen.act(payerOf(element));
  }
  await settle(element, (shown) => shown.phase === screen.phase && !busy(shown));
  if (screen.returned) history.replaceState(null, '', address);
  return element;
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
