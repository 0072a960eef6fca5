/**
 * What a payer can read and press on the page at hand, the widget's or the bank's. Runs in the page; a browser is told
 * to evaluate it before each question, so it needs nothing from the page and keeps nothing there.
 */

const CONTROLS = 'button, a[href], summary, input, select';

const widget = (): HTMLElementTagNameMap['pay-checkout'] | null => document.querySelector('pay-checkout');

/** The dialog on top, the widget, or the whole page where there is none. */
function scope(): ParentNode {
  const root = widget()?.shadowRoot;
  return [...(root?.querySelectorAll('dialog[open]') ?? [])].at(-1) ?? root ?? document.body;
}

const isVisible = (element: Element) => element.getClientRects().length > 0;

function nameOf(control: Element): string {
  const labels = (control as Partial<HTMLInputElement>).labels;
  const text = labels?.length ? [...labels].map(spoken).join(' ') : spoken(control);
  return (control.getAttribute('aria-label') ?? text).replace(/\s+/g, ' ').trim();
}

/** Without what is drawn for the eye alone, such as the initials of a bank. */
function spoken(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
  return copy.textContent ?? '';
}

function named(selector: string, name: string): HTMLElement | undefined {
  const controls = [...scope().querySelectorAll<HTMLElement>(selector)].filter(isVisible);
  return (
    controls.find((control) => nameOf(control) === name) ??
    controls.find((control) => nameOf(control).startsWith(name))
  );
}

export function text(): string {
  const root = scope();
  const shown = [...root.querySelectorAll<HTMLElement>('*')].filter((each) => isVisible(each));
  return shown
    .flatMap((each) => [...each.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE))
    .map((node) => node.textContent?.trim() ?? '')
    .filter(Boolean)
    .join(' ')
    .replaceAll('\u00a0', ' ');
}

/** The name of what has the focus, in whichever element's own tree; empty when nothing has it. */
export function focus(): string {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused && focused !== document.body ? nameOf(focused) : '';
}

/** Says whether there was something of that name to press. It is pressed after the answer, as the page may go. */
export function press(name: string): boolean {
  const control = named(CONTROLS, name);
  if (!control || control.matches('[disabled], [aria-disabled=true]')) return false;
  setTimeout(() => control.click());
  return true;
}

/** The bank's buttons, in whichever language it speaks. WebKit may lose a press while the page is still loading. */
const bankButton = (value: string) =>
  document.readyState === 'complete'
    ? document.querySelector<HTMLElement>(`button[name=action][value=${value}]`)
    : null;

export const isBank = (): boolean => bankButton('approve') !== null;

export function decide(value: string): boolean {
  const button = bankButton(value);
  setTimeout(() => button?.click());
  return button !== null;
}

export function pick(name: string): boolean {
  const option = named('[role=option]', name);
  option?.click();
  return option !== undefined;
}

export function fill(label: string, value: string): boolean {
  const field = named('input, select', label);
  if (!(field instanceof HTMLInputElement) && !(field instanceof HTMLSelectElement)) return false;
  field.focus();
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

/** What the page's own scripts know. */
export function facts() {
  const element = widget();
  const payin = element?.payin ?? null;
  return {
    url: location.href,
    phase: element?.phase ?? null,
    payin: payin && {
      id: payin.id,
      reference: payin.reference,
      status: payin.status,
      key: payin.rail === 'BRE_B' ? (payin.sourceData?.keyString ?? null) : null,
    },
    heard: (window as { heard?: readonly string[] }).heard ?? [],
    nowMs: performance.now(),
  };
}

/** The device says that it lost or found its network. */
export function network(online: boolean): true {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: online });
  dispatchEvent(new Event(online ? 'online' : 'offline'));
  return true;
}

/** The payer turns to this page. */
export function seen(): true {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'visible' });
  document.dispatchEvent(new Event('visibilitychange'));
  return true;
}
