import '../../src/define.js';
import type { Attempt, PayCheckoutElement } from '../../src/index.js';
import { createSimulator, isScenarioName, SCENARIOS, type Simulator } from '../../src/simulator.js';
import { find } from '../page-kit.js';
import { READABLE, contrast, readableOn } from './contrast.js';
import { openKnobs } from './knobs.js';
import { Log } from './log.js';
import { htmlToPaste, type Shown } from './markup.js';
import { PRESETS } from './presets.js';
import { watchCalls, watchEvents } from './watch.js';
import { language, translatePage, words } from './words.js';

/** One checkout, its settings, its events and its calls. The simulator plays everything behind it, in this page. */

const ATTRIBUTES = ['rails', 'key-type', 'bank', 'locale', 'modal', 'hosted', 'share'] as const;
const COLOURS = ['--pay-accent', '--pay-on-accent', '--pay-surface', '--pay-text'] as const;
const THEME = ['--pay-radius', '--pay-space', '--pay-font-size', '--pay-font'] as const;
/** These are settled when the order is placed. */
const OF_THE_ORDER: readonly string[] = ['pesos', 'scenario', 'hosted'];
/** What a shop may know of a signed-in customer. */
const CUSTOMER = {
  name: 'Persona de Prueba',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '3001234567',
  email: 'persona@correo.example',
} as const;
/** Long enough to be seen, short enough to be waited for. */
const TIMINGS = { lateConfirmationMs: 40_000, slowWebhookMs: 20_000, reorderWaitMs: 10_000 };

translatePage();
const knobs = openKnobs('#knobs');
const frame = find('#frame');
const events = new Log('events');
const calls = new Log('requests');
let order = '';
let simulator: Simulator | null = null;
let checkout: PayCheckoutElement | null = null;

const LOOK_MS = 150;

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
  button.addEventListener('click', () => decide(button.dataset['outcome'] as Outcome));
}

setInterval(follow, LOOK_MS);
// On a small screen the knobs are below the element: closed, so that what it says is near.
if (matchMedia('(max-width: 62rem)').matches) {
  for (const group of knobs.form.querySelectorAll('details')) group.open = false;
}

find('#scenario').append(
  ...Object.entries(SCENARIOS).map(([name, texts]) => new Option(texts[language], name)),
);
find('#preset').append(...PRESETS.map(({ name }, index) => new Option(name[language], String(index))));
const query = new URLSearchParams(location.search);
knobs.recall(query);
// Reloaded: the same order goes on.
await run(query.get('pedido') ?? undefined);

/** A new order for a new try, or one that this tab remembers. */
async function run(placed?: string): Promise<void> {
  await simulator?.close();
  const scenario = knobs.get('scenario');
  simulator = createSimulator({
    merchant: { name: 'Café Andino', supportEmail: 'pagos@cafeandino.example' },
    order: { amountInCents: Number(knobs.get('pesos')) * 100, description: 'Café de origen' },
    storage: sessionStorage,
    timings: TIMINGS,
    ...(isScenarioName(scenario) && { scenario }),
  });
  if (scenario === '') simulator.scenario = null;
  watchCalls(simulator, (entry) => calls.tell(entry));
  show(placed ?? `A-${Date.now()}`);
}

function show(id: string): void {
  order = id;
  events.open(id);
  calls.open(id);
  checkout = document.createElement('pay-checkout');
  checkout.transport = simulator;
  checkout.order = order;
  apply();
  frame.replaceChildren(checkout, ...(checkout.modal ? [opener(checkout)] : []));
}

async function changed(target: EventTarget | null): Promise<void> {
  const name = target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.name : '';
  if (target instanceof HTMLInputElement && !target.validity.valid) return;
  if (target instanceof HTMLSelectElement && target.id === 'preset') {
    knobs.recall(new URLSearchParams({ ...everythingElse(), ...PRESETS[Number(target.value)]?.values }));
    target.value = '';
  }
  // A text that was readable on the accent before may not be on the new one.
  if (name === '--pay-accent' && contrast(knobs.get(name), knobs.get('--pay-on-accent')) < READABLE) {
    find<HTMLInputElement>('[name="--pay-on-accent"]').value = readableOn(knobs.get(name));
  }
  if (OF_THE_ORDER.includes(name)) await run();
  // Which screen there is depends on these, so the same order is opened anew.
  else if (name === 'modal' || name === 'customer') show(order);
  else apply();
}

/** What the form says besides the looks. */
function everythingElse(): Record<string, string> {
  const now = new URLSearchParams();
  knobs.remember(now);
  return Object.fromEntries([...now].filter(([name]) => name !== 'colours' && !name.startsWith('--pay-')));
}

/** Puts the form's choices on the element, in the address and in the HTML to paste. */
function apply(): void {
  const address = new URLSearchParams(location.search);
  knobs.remember(address);
  address.set('pedido', order);
  history.replaceState(null, '', `?${address.toString()}`);

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
    find(`#${id}-shown`).textContent = `${value.replace('.', words.point)} ${dataset['unit'] ?? 'px'}`;
  }
  find('#paste').textContent = htmlToPaste(shown);
  judge();
}

/** Says how well the page's own colours are read. What cannot be read cannot be copied by accident. */
function judge(): void {
  const pairs = [
    [words.button, '--pay-accent', '--pay-on-accent'],
    [words.text, '--pay-surface', '--pay-text'],
  ] as const;
  const ratios = pairs.map(
    ([name, one, other]) => [name, contrast(knobs.get(one), knobs.get(other))] as const,
  );
  const poor = knobs.get('colours') === 'on' && ratios.some(([, ratio]) => ratio < READABLE);
  const figures = ratios.map(([name, ratio]) => `${name} ${ratio.toFixed(1).replace('.', words.point)}:1`);
  find('#contrast').textContent = `${figures.join(' · ')}${poor ? `. ${words.unreadable}` : ''}`;
  find('#contrast').classList.toggle('poor', poor);
  find<HTMLButtonElement>('#copy').disabled = poor;
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
  button.textContent = words.pay;
  button.addEventListener('click', () => modal.show());
  return button;
}

type Outcome = 'CONFIRMED' | 'DECLINED' | 'CANCELED';

/** As the payer's bank would. */
function decide(outcome: Outcome): void {
  const engine = simulator?.sandbox.engine;
  const reference = checkout?.attempt?.reference;
  const payin = engine?.payins.find((candidate) => candidate.reference === reference);
  if (payin) engine?.decide(payin.id, outcome);
}

async function copy(): Promise<void> {
  const paste = find('#paste');
  const button = find('#copy');
  try {
    await navigator.clipboard.writeText(paste.textContent);
    button.textContent = words.copied;
  } catch {
    // Pages without HTTPS have no clipboard: the text is left selected.
    getSelection()?.selectAllChildren(paste);
    button.textContent = words.selected;
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
