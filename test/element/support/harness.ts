import { waitUntil as waitUpTo } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/define.js';
import { afterFrame } from '../../../src/element/opening/after-frame.js';
import type { PayCheckoutElement } from '../../../src/element/pay-checkout-element.js';
import type { PayCheckoutEventMap } from '../../../src/element/events.js';
import type { Phase } from '../../../src/machine/state.js';
import { CannedTransport } from './canned-transport.js';
import { PATIENCE_MS } from '../../support/patience.js';

type EventName = keyof PayCheckoutEventMap;
type Settings = Partial<
  Pick<
    PayCheckoutElement,
    | 'amountInCents'
    | 'backend'
    | 'bank'
    | 'banks'
    | 'callbackUrl'
    | 'customer'
    | 'description'
    | 'finishUrl'
    | 'hosted'
    | 'keyType'
    | 'locale'
    | 'merchant'
    | 'messages'
    | 'modal'
    | 'noRemember'
    | 'open'
    | 'order'
    | 'rails'
    | 'redirectHosts'
    | 'share'
  >
> & { readonly transport?: CannedTransport | null };

export const EVENTS: readonly EventName[] = [
  'checkout-ready',
  'payin-created',
  'payin-updated',
  'payin-confirmed',
  'payin-declined',
  'payin-canceled',
  'payin-lapsed',
  'paymentlink-created',
  'paymentlink-completed',
  'paymentlink-expired',
  'checkout-redirect',
  'checkout-finished',
  'checkout-error',
  'checkout-closed',
];

const CONTROLS = 'button, a[href], summary, input, select, textarea, [tabindex="0"]';

/**
 * A payer in front of one checkout: reads what is visible, presses what has a name, and keeps the events that the
 * page would get. Tests say what a payer does and sees; where in the element that happens is only known here.
 */
export class Payer {
  readonly element: PayCheckoutElement;
  readonly backend: CannedTransport;
  /** Every event of the element, as heard on its parent. */
  readonly events: Event[] = [];
  readonly #unlisten = new AbortController();

  constructor(element: PayCheckoutElement, backend: CannedTransport) {
    this.element = element;
    this.backend = backend;
    for (const name of EVENTS) {
      document.addEventListener(name, (event) => event.target === element && this.events.push(event), {
        signal: this.#unlisten.signal,
        capture: true,
      });
    }
    present.add(this);
  }

  /** A page with a checkout of order A-1042 and a canned backend, unless the test says otherwise. */
  static arrives(settings: Settings = {}, parent: Element = document.body): Payer {
    const backend = settings.transport ?? new CannedTransport();
    const element = document.createElement('pay-checkout');
    const payer = new Payer(element, backend);
    Object.assign(element, { order: 'A-1042', transport: backend, locale: 'es', ...settings });
    parent.append(element);
    return payer;
  }

  leaves(): void {
    this.element.remove();
    this.#unlisten.abort();
    present.delete(this);
  }

  heard(...names: EventName[]): string[] {
    return this.events.map(({ type }) => type).filter((type) => names.includes(type as EventName));
  }

  event<Name extends EventName>(name: Name): PayCheckoutEventMap[Name] {
    const found = this.events.filter(({ type }) => type === name);
    if (found.length !== 1) throw new Error(`expected one ${name}, heard ${found.length}`);
    return found[0] as PayCheckoutEventMap[Name];
  }

  async hears(name: EventName): Promise<void> {
    await waitUntil(
      () => this.heard(name).length > 0,
      () => `${name} was never heard; saw: ${this.text}`,
    );
  }

  async reaches(phase: Phase): Promise<void> {
    await waitUntil(
      () => this.element.phase === phase,
      () => `never reached ${phase}, is ${this.element.phase}`,
    );
    await this.element.updateComplete;
  }

  async sees(text: string | RegExp): Promise<void> {
    await waitUntil(
      () => (typeof text === 'string' ? this.text.includes(text) : text.test(this.text)),
      () => `never saw ${String(text)}; saw: ${this.text}`,
    );
    // What is said of a screen, and the focus, follow the frame that shows it.
    await new Promise<void>(afterFrame);
  }

  until(happened: () => unknown): Promise<void> {
    return waitUntil(happened, 'it never happened');
  }

  /** What can be read on the screen; in an open dialog, only what is in it. */
  get text(): string {
    const walker = document.createTreeWalker(this.#scope(), NodeFilter.SHOW_TEXT);
    const shown: string[] = [];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement && isVisible(parentElement)) shown.push(textContent?.trim() ?? '');
    }
    return shown.filter(Boolean).join(' ').replaceAll('\u00a0', ' ');
  }

  /** What a screen reader was told last. */
  get told(): string {
    return this.#root.querySelector('[role=status]')?.textContent?.trim() ?? '';
  }

  /** Everything a screen reader is told from now on, in order. */
  listens(): string[] {
    const told: string[] = [];
    const observer = new MutationObserver((records) => {
      const region = this.#root.querySelector('[role=status]');
      if (records.some(({ target }) => target === region) && this.told) told.push(this.told);
    });
    observer.observe(this.#root, { childList: true, subtree: true });
    this.#unlisten.signal.addEventListener('abort', () => observer.disconnect());
    return told;
  }

  /** Names of the pictures on the screen. */
  get pictures(): string[] {
    return [...this.#scope().querySelectorAll('img, [role=img]')].filter(isVisible).map(nameOf);
  }

  /** How many live regions there are. */
  get regions(): number {
    return this.#root.querySelectorAll('[role=status], [role=alert], [aria-live]').length;
  }

  /** Presses the button, link or choice of that name. */
  async press(name: string): Promise<void> {
    await waitUntil(
      () => this.#named(name),
      () => `nothing to press is called “${name}”; saw: ${this.text}`,
    );
    const control = this.#named(name)!;
    control.focus();
    control.click();
    await this.element.updateComplete;
  }

  /** Types into the field of that label. */
  async fill(label: string, value: string): Promise<void> {
    await waitUntil(
      () => this.#named(label),
      () => `no field is called “${label}”; saw: ${this.text}`,
    );
    const field = this.#named(label);
    if (!(field instanceof HTMLInputElement) && !(field instanceof HTMLSelectElement)) {
      throw new Error(`“${label}” is no field`);
    }
    field.focus();
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await this.element.updateComplete;
  }

  /** Picks from an open list. */
  async pick(name: string): Promise<void> {
    const options = () => [...this.#scope().querySelectorAll<HTMLElement>('[role=option]')].filter(isVisible);
    const found = () => options().find((option) => nameOf(option) === name);
    await waitUntil(found, `no option is called “${name}”`);
    found()!.click();
    await this.element.updateComplete;
  }

  /** Chooses PSE, fills its form and presses its button. */
  async goesToBank(): Promise<void> {
    await this.press('PSE');
    await this.press('Continuar');
    await this.fill('Banco', 'bancol');
    await this.pick('Bancolombia');
    await this.fill('Nombre completo', 'Ana Gómez');
    await this.fill('Celular', '300 123 4567');
    await this.press('Ir a mi banco');
  }

  /** Presses Tab until what has that name has the focus. */
  async tabTo(name: string): Promise<void> {
    const passed: string[] = [];
    do {
      await sendKeys({ press: 'Tab' });
      passed.push(this.focus ?? 'the page');
      if (passed.length > 30) throw new Error(`Tab never reached “${name}”, only ${passed.join(', ')}`);
    } while (!passed.at(-1)?.includes(name));
  }

  can(name: string): boolean {
    return this.#named(name) !== undefined;
  }

  /** The name, or the text, of what has the focus. */
  get focus(): string | null {
    const focused = this.#root.activeElement;
    return focused && (nameOf(focused) || focused.textContent?.trim() || focused.localName);
  }

  /** Whether the element's dialog is open, and so the rest of the page out of reach. */
  get inDialog(): boolean {
    return this.#root.querySelector('dialog[open]') !== null;
  }

  get dialog(): HTMLDialogElement {
    const dialog = this.#root.querySelector<HTMLDialogElement>('dialog[open]');
    if (!dialog) throw new Error('no dialog is open');
    return dialog;
  }

  get card(): DOMRect {
    return this.#root.querySelector('[part=card]')!.getBoundingClientRect();
  }

  get #root(): ShadowRoot {
    return this.element.shadowRoot!;
  }

  #scope(): ShadowRoot | HTMLElement {
    return [...this.#root.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1) ?? this.#root;
  }

  #named(name: string): HTMLElement | undefined {
    const controls = [...this.#scope().querySelectorAll<HTMLElement>(CONTROLS)].filter(isVisible);
    return (
      controls.find((control) => nameOf(control) === name) ??
      controls.find((control) => nameOf(control).includes(name))
    );
  }
}

function waitUntil(predicate: () => unknown, message: string | (() => string)): Promise<void> {
  return waitUpTo(() => Boolean(predicate()), undefined, { interval: 20, timeout: PATIENCE_MS }).catch(() => {
    throw new Error(typeof message === 'string' ? message : message());
  });
}

const present = new Set<Payer>();

const restore: (() => void)[] = [];

/** Puts something else in the place of a browser's feature until `clearPage`. */
export function instead(owner: object, name: string, value: unknown): void {
  const own = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, writable: true, value });
  restore.push(() => {
    if (own) Object.defineProperty(owner, name, own);
    else Reflect.deleteProperty(owner, name);
  });
}

/** Ends what a test left on the page, in its memory and in its address. */
export function clearPage(): void {
  for (const put of restore.splice(0).reverse()) put();
  for (const payer of [...present]) payer.leaves();
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', location.pathname + withoutReturn(location.search));
}

function withoutReturn(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('pay-return');
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function isVisible(element: Element): boolean {
  if (element.closest('.sr') && !element.matches(CONTROLS)) return false;
  return element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';
}

/** A good enough reading of the accessible name. */
export function nameOf(control: Element): string {
  const label = control.getAttribute('aria-label') ?? control.getAttribute('alt');
  if (label) return label;
  const labels = (control as Partial<HTMLInputElement>).labels;
  const text = labels?.length
    ? [...labels].map(({ textContent }) => textContent).join(' ')
    : spokenText(control);
  return (text ?? '').replace(/\s+/g, ' ').trim();
}

/** Without what is only to be looked at. */
function spokenText(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
  return copy.textContent;
}
