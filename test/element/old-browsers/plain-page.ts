/**
 * Runs inside a page of its own: takes away what Safari 16.4, Chrome 109 or Firefox 115 lack, and what pages without
 * HTTPS lack, before anything of ours is loaded. Then pays, with both rails.
 */

export interface PlainReport {
  /** What was there and is gone. */
  readonly removed: readonly string[];
  readonly reached: readonly string[];
  readonly failure: string | null;
  /** Errors that nobody caught. */
  readonly errors: readonly string[];
}

declare global {
  interface Window {
    plain?: PlainReport;
  }
}

const removed: string[] = [];
const reached: string[] = [];
const errors: string[] = [];
addEventListener('error', ({ message }) => errors.push(message));
addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));

remove(Promise, 'withResolvers', 'try');
remove(Array, 'fromAsync');
remove(Array.prototype, 'toSorted', 'toReversed', 'toSpliced', 'with');
remove(Object, 'groupBy');
remove(Map, 'groupBy');
remove(Set.prototype, 'union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf');
remove(String.prototype, 'isWellFormed', 'toWellFormed');
remove(URL, 'canParse', 'parse');
remove(URLSearchParams.prototype, 'size');
remove(Response, 'json');
remove(AbortSignal, 'any', 'timeout');
remove(
  Element.prototype,
  'checkVisibility',
  'setHTMLUnsafe',
  'getHTML',
  'ariaLabel',
  'ariaExpanded',
  'moveBefore',
);
remove(HTMLElement.prototype, 'showPopover', 'hidePopover', 'togglePopover', 'popover');
remove(HTMLDialogElement.prototype, 'requestClose', 'closedBy');
remove(Document.prototype, 'startViewTransition', 'activeViewTransition');
remove(ElementInternals.prototype, 'states');
remove(Navigator.prototype, 'locks', 'clipboard', 'share', 'canShare', 'userActivation', 'scheduling');
remove(Crypto.prototype, 'randomUUID', 'subtle');
remove(
  window,
  ...'structuredClone Iterator CloseWatcher navigation scheduler requestIdleCallback cancelIdleCallback'.split(
    ' ',
  ),
  ...'CustomStateSet BroadcastChannel IntersectionObserver trustedTypes URLPattern Temporal'.split(' '),
  ...'Highlight Sanitizer ToggleEvent cookieStore'.split(' '),
);

/** Styles that those browsers skip: what they do not know is written so that this one does not know it either. */
const replaceSync = CSSStyleSheet.prototype.replaceSync;
CSSStyleSheet.prototype.replaceSync = function (text) {
  replaceSync.call(this, text.replace(/light-dark\(|:has\(|text-wrap:|color-mix\(/g, 'unknown-$&'));
};

const failure = await journeys().then(
  () => null,
  (error: unknown) => String(error),
);
window.plain = { removed, reached, failure, errors };

function remove(owner: object, ...names: string[]): void {
  for (const name of names) {
    if (!(name in owner)) continue;
    let holder: object | null = owner;
    while (holder && !Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder) as object | null;
    if (holder) Reflect.deleteProperty(holder, name);
    if (!(name in owner)) removed.push(name);
  }
}

async function journeys(): Promise<void> {
  const { Payer } = await import('../support/harness.js');
  const { keyMethod, linkMethod, offer, paid, pseMethod } = await import('../../machine/fixtures.js');
  const { withReturnId } = await import('../../../src/contract/return-address.js');

  const breb = Payer.arrives();
  await breb.press('Pagar con Bre-B');
  await breb.sees('@tienda123');
  await breb.press('Copiar');
  await breb.until(() => /[Cc]opia/.test(breb.told));
  await breb.press('Ampliar');
  await breb.press('Cerrar');
  await breb.press('Guardar QR');
  await breb.press('Ya pagué');
  await breb.sees('Aún no nos llega');
  breb.backend.tell(paid(breb.element.payin!));
  await breb.sees('Pago aprobado');
  reached.push('paid with Bre-B');
  breb.leaves();

  const modal = Payer.arrives({ modal: true });
  modal.backend.offered = offer({ methods: [keyMethod] });
  modal.element.show();
  await modal.press('Pagar con Bre-B');
  await modal.sees('@tienda123');
  await modal.press('Cerrar');
  await modal.press('Cerrar');
  await modal.until(() => !modal.inDialog);
  reached.push('closed a dialog');
  modal.leaves();

  const bank = Payer.arrives({ locale: 'en' });
  bank.backend.offered = offer({ methods: [keyMethod, pseMethod] });
  bank.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
  await bank.press('PSE');
  await bank.press('Continue');
  await bank.reaches('details');
  await bank.fill('Bank', 'bancol');
  await bank.pick('Bancolombia');
  await bank.fill('Full name', 'Ana Gómez');
  await bank.fill('Mobile', '300 123 4567');
  await bank.press('Continue to your bank');
  await bank.hears('checkout-redirect');
  const { backend } = bank;
  const payin = bank.element.payin!;
  bank.leaves();
  history.replaceState(null, '', withReturnId(location.href, { kind: 'PAYIN', id: payin.id }));
  const back = Payer.arrives({ transport: backend });
  await back.sees('¿Terminaste en tu banco?');
  backend.tell(paid(payin));
  await back.sees('Pago aprobado');
  reached.push('paid with PSE');
  back.leaves();

  const hosted = Payer.arrives({ hosted: true, share: true });
  hosted.backend.offered = offer({ methods: [linkMethod] });
  await hosted.press('Ir a pagar');
  await hosted.press('Copiar');
  await hosted.until(() => /[Cc]opia/.test(hosted.told));
  reached.push('copied a link');
  hosted.leaves();
}
