import '../../src/define.js';
import type { Attempt, PayCheckoutElement } from '../../src/index.js';
import { ask, askUntilAnswered, find, money, sayTrouble } from '../page-kit.js';
import type { Product } from '../server/catalogue.js';
import { openKnobs } from './knobs.js';
import { Log } from './log.js';
import { htmlToPaste, type Shown } from './markup.js';
import { watchEvents, watchRequests } from './watch.js';

/** One checkout, its settings, its events and its requests. */

const ATTRIBUTES = ['rails', 'key-type', 'bank', 'locale', 'modal', 'hosted', 'share'] as const;
const COLOURS = ['--pay-accent', '--pay-on-accent', '--pay-surface', '--pay-text'] as const;
const THEME = ['--pay-radius', '--pay-space', '--pay-font-size', '--pay-font'] as const;
/** These are settled when the order is placed. */
const OF_THE_ORDER: readonly string[] = ['product', 'quantity', 'scenario', 'hosted'];
/** What a shop may know of a signed-in customer. */
const CUSTOMER = {
  name: 'Persona de Prueba',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '3001234567',
  email: 'persona@correo.example',
} as const;

const knobs = openKnobs('#knobs');
const frame = find('#frame');
const events = new Log('events');
const requests = new Log('requests');
let order = '';
let checkout: PayCheckoutElement | null = null;

const LOOK_MS = 150;

watchRequests('/checkout/', (entry) => requests.tell(entry));
watchEvents(frame, (entry) => events.tell(entry));
knobs.form.addEventListener('input', ({ target }) => void changed(target));
knobs.form.addEventListener('submit', (event) => event.preventDefault());
find('#defaults').addEventListener('click', () => {
  knobs.reset();
  void run();
});
find('#again').addEventListener('click', () => void run());
find('#copy').addEventListener('click', () => void copy());
for (const button of document.querySelectorAll<HTMLElement>('[data-outcome]')) {
  button.addEventListener('click', () => void decide(button.dataset['outcome'] ?? ''));
}

setInterval(follow, LOOK_MS);
// On a small screen the knobs are below the element: closed, so that what it says is near.
if (matchMedia('(max-width: 62rem)').matches) {
  for (const group of knobs.form.querySelectorAll('details')) group.open = false;
}

try {
  const [products, scenarios, { sandboxUrl }] = await Promise.all([
    askUntilAnswered<Product[]>('/api/products'),
    askUntilAnswered<{ [name: string]: { es: string } }>('/api/demo/scenarios'),
    askUntilAnswered<{ sandboxUrl: string }>('/api/demo'),
  ]);
  find<HTMLAnchorElement>('#sandbox').href = `${sandboxUrl}/_/`;
  find('#product').append(
    ...products.map(({ id, name, priceInCents }) => option(id, `${name}, ${money(priceInCents)}`)),
  );
  find('#scenario').append(...Object.entries(scenarios).map(([name, { es }]) => option(name, es)));
  const query = new URLSearchParams(location.search);
  knobs.recall(query);
  const placed = query.get('pedido');
  // Back from the bank, or reloaded: the same order goes on.
  if (placed) show(placed);
  else await run();
} catch (error) {
  sayTrouble(error);
}

/** A new order, for a new try. */
async function run(): Promise<void> {
  try {
    await ask('/api/demo/scenario', { method: 'PUT', body: { scenario: knobs.get('scenario') || null } });
    const { token } = await ask<{ token: string }>('/api/orders', {
      method: 'POST',
      body: {
        lines: [{ product: knobs.get('product'), quantity: Number(knobs.get('quantity')) }],
        hosted: knobs.get('hosted') === 'on',
      },
    });
    find('#trouble').hidden = true;
    show(token);
  } catch (error) {
    sayTrouble(error);
  }
}

function show(token: string): void {
  order = token;
  events.open(token);
  requests.open(token);
  checkout = document.createElement('pay-checkout');
  checkout.backend = '/checkout';
  checkout.order = order;
  apply();
  frame.replaceChildren(checkout, ...(checkout.modal ? [opener(checkout)] : []));
}

async function changed(target: EventTarget | null): Promise<void> {
  const name = target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.name : '';
  if (target instanceof HTMLInputElement && !target.validity.valid) return;
  if (OF_THE_ORDER.includes(name)) await run();
  // Which screen there is depends on these, so the same order is opened anew.
  else if (name === 'modal' || name === 'customer') show(order);
  else apply();
}

/** Puts the form's choices on the element, in the address and in the HTML to paste. */
function apply(): void {
  const query = new URLSearchParams(location.search);
  knobs.remember(query);
  query.set('pedido', order);
  history.replaceState(null, '', `?${query.toString()}`);

  const shown = chosen();
  for (const name of ATTRIBUTES) {
    const value = shown.attributes.find(([candidate]) => candidate === name)?.[1];
    if (value === undefined) checkout?.removeAttribute(name);
    else checkout?.setAttribute(name, value);
  }
  if (checkout) checkout.customer = shown.customer;
  for (const name of [...COLOURS, ...THEME]) frame.style.removeProperty(name);
  for (const [name, value] of shown.theme) frame.style.setProperty(name, value);
  frame.style.setProperty('color-scheme', knobs.get('scheme'));
  frame.style.setProperty('--width', `${knobs.get('width')}px`);
  find('#colours').hidden = knobs.get('colours') === '';
  for (const id of ['width', 'radius', 'space', 'font-size']) {
    const { value, dataset } = find<HTMLInputElement>(`#${id}`);
    find(`#${id}-shown`).textContent = `${value.replace('.', ',')} ${dataset['unit'] ?? 'px'}`;
  }
  find('#paste').textContent = htmlToPaste(shown);
}

function chosen(): Shown {
  const attributes = ATTRIBUTES.flatMap((name) => {
    const value = knobs.get(name);
    return value === '' ? [] : [[name, value === 'on' ? '' : value] as const];
  });
  const theme = [
    ...(knobs.get('colours') === 'on' ? COLOURS.map((name) => [name, knobs.get(name)] as const) : []),
    ...THEME.filter((name) => !knobs.isDefault(name)).map((name) => {
      const unit = find<HTMLElement>(`[name="${name}"]`).dataset['unit'] ?? '';
      return [name, `${knobs.get(name)}${unit}`] as const;
    }),
  ];
  return { attributes, theme, customer: knobs.get('customer') === 'on' ? CUSTOMER : null };
}

/** What a page with a modal checkout brings itself. */
function opener(modal: PayCheckoutElement): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button opener';
  button.textContent = 'Pagar';
  button.addEventListener('click', () => modal.show());
  return button;
}

function option(value: string, text: string): HTMLOptionElement {
  return new Option(text, value);
}

async function decide(outcome: string): Promise<void> {
  const reference = checkout?.attempt?.reference;
  if (!reference) return;
  try {
    await ask('/api/demo/decision', { method: 'POST', body: { reference, outcome } });
    find('#trouble').hidden = true;
  } catch (error) {
    sayTrouble(error);
  }
}

async function copy(): Promise<void> {
  const paste = find('#paste');
  const button = find('#copy');
  try {
    await navigator.clipboard.writeText(paste.textContent);
    button.textContent = 'Copiado';
  } catch {
    // Pages without HTTPS have no clipboard: the text is left selected.
    getSelection()?.selectAllChildren(paste);
    button.textContent = 'Seleccionado: cópialo';
  }
}

/** An open payin can be decided here; a link is paid on its own page. */
function isOpen(attempt: Attempt | null | undefined): boolean {
  return attempt?.kind === 'PAYIN' && (attempt.status === 'PENDING' || attempt.status === 'PROCESSING');
}

/** Phases change between events too, so the page polls the property. */
function follow(): void {
  const phase = checkout?.phase ?? 'loading';
  if (find('#phase').textContent !== phase) find('#phase').textContent = phase;
  find<HTMLFieldSetElement>('#decide').disabled = !isOpen(checkout?.attempt);
}
