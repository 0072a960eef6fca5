import { PSE_BANKS } from '../../../src/contract/payer/bank-list.js';
import type { Method } from '../../../src/contract/offer.js';
import { keyMethod, offer } from '../../machine/fixtures.js';
import { CannedTransport } from './canned-transport.js';
import { Payer } from './harness.js';

/** The form of PSE, as a payer meets it. */

export const listed = PSE_BANKS.filter(({ testOnly }) => !testOnly).map(({ code, name, aliases = [] }) => ({
  code,
  name,
  aliases: [...aliases],
}));
export const pse = {
  kind: 'PAYIN',
  rail: 'PSE',
  banks: listed,
  requires: ['name', 'idType', 'idNumber', 'email', 'phone'],
} satisfies Method;

export async function atTheForm(
  method: Method = pse,
  settings: Parameters<typeof Payer.arrives>[0] = {},
): Promise<Payer> {
  const transport = new CannedTransport();
  transport.offered = offer({ methods: [method, keyMethod] });
  const payer = Payer.arrives({ transport, ...settings });
  payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
  await payer.press('Continuar');
  await payer.reaches('details');
  await payer.sees('Ir a mi banco');
  return payer;
}

export const inside = (payer: Payer) => payer.element.shadowRoot!;
export const field = (payer: Payer, id: string) => inside(payer).querySelector<HTMLInputElement>(`#${id}`)!;
export const options = (payer: Payer) => [...inside(payer).querySelectorAll('[role=option]')].map(bankOf);
/** Without the letters beside it that stand for a logo. */
export const bankOf = (option: Element | null) => option?.lastElementChild?.textContent ?? '';
/** What assistive technology reads with the field. */
export const described = (payer: Payer, id: string) =>
  inside(payer)
    .querySelector(`#${field(payer, id).getAttribute('aria-describedby')}`)
    ?.textContent?.trim();

export async function write(payer: Payer, id: string, text: string): Promise<void> {
  field(payer, id).focus();
  field(payer, id).value = text;
  field(payer, id).dispatchEvent(new InputEvent('input', { bubbles: true }));
  await payer.element.updateComplete;
}

export async function leave(payer: Payer, id: string): Promise<void> {
  field(payer, id).blur();
  await payer.element.updateComplete;
}
