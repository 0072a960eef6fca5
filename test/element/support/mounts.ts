/** Checkouts that come and go, as in an application that is never reloaded. */
import '../../../src/define.js';
import type { PayCheckoutElement } from '../../../src/element/pay-checkout-element.js';
import { breb, keyMethod, offer, pseMethod } from '../../machine/fixtures.js';
import { PATIENCE_MS } from '../../support/patience.js';

/** How far a payer comes before the element is removed. */
export const STAGES = [
  'at once',
  'loading',
  'choosing',
  'paying',
  'at the bank form',
  'in a dialog',
] as const;
type Stage = (typeof STAGES)[number];

/** Plays the merchant's backend in the page: offers and creates are answered, waiting reads are held until aborted. */
export function playBackend(): () => void {
  const original = window.fetch;
  window.fetch = (input, init) => {
    const path = input as string;
    const { signal } = init!;
    if (path.includes('?after=')) return held(signal!);
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const answer = path.includes('/orders/')
      ? offer({ methods: [keyMethod, pseMethod], now: new Date().toISOString() })
      : breb({ expiresAt: inAnHour, now: new Date().toISOString() });
    return Promise.resolve(Response.json(answer));
  };
  return () => (window.fetch = original);
}

function held(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')), { once: true });
  });
}

/** Puts one checkout on the page and lets a payer come as far as asked. */
export async function mount(stage: Stage, tag = 'pay-checkout'): Promise<PayCheckoutElement> {
  const element = document.createElement(tag) as PayCheckoutElement;
  Object.assign(element, {
    backend: '/played',
    order: 'A-1042',
    locale: 'es',
    modal: stage === 'in a dialog',
  });
  document.body.append(element);
  const find = <Kind extends HTMLElement>(selector: string) =>
    element.shadowRoot?.querySelector<Kind>(selector);
  if (stage === 'at once') return element;
  await element.updateComplete;
  if (stage === 'loading') return element;
  element.show();
  await until(() => element.phase === 'choosing' && find('.btn'));
  if (stage === 'choosing') return element;
  if (stage === 'at the bank form') find<HTMLInputElement>('label:last-of-type input')!.click();
  await element.updateComplete;
  find('.btn')!.click();
  if (stage === 'at the bank form') {
    await until(() => find('[role=combobox]'));
    find('[role=combobox]')!.click();
    await until(() => find('[role=option]'));
    return element;
  }
  await until(() => element.phase === 'paying' && find('.wait'));
  find('[part=copy-button]')?.click();
  return element;
}

/** Puts so many on the page and removes them, one after another, each at another moment. */
export async function mountAndRemove(count: number): Promise<void> {
  for (let index = 0; index < count; index++) (await mount(STAGES[index % STAGES.length]!)).remove();
  sessionStorage.clear();
  // The page's own record of what happened, which grows by design and is the page's to clear.
  performance.clearMeasures();
}

const channel = new MessageChannel();

/** Waits, a task at a time, without a timer: timers are being counted. */
export async function until(there: () => unknown, patienceMs = PATIENCE_MS): Promise<void> {
  for (const endMs = performance.now() + patienceMs; !there();) {
    if (performance.now() > endMs) throw new Error(`It never happened: ${there.toString()}`);
    await new Promise<void>((resolve) => {
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(null);
    });
  }
}
