import {
  type PayerIdType,
  parseDocument,
  parseEmail,
  parseName,
  parsePhone,
} from '../../contract/payer/identity.js';
import type { IdType } from '../../contract/kinds.js';
import type { InlineCustomer } from '../../contract/service/resources.js';

/** The payer's details on a link's page. */

export type CustomerField = keyof InlineCustomer;
type TypedCustomer = Readonly<Partial<Record<CustomerField, string | undefined>>>;

export const LINK_ID_TYPES = [
  'CO_CC',
  'CO_CE',
  'CO_NIT',
  'PASSPORT',
] as const satisfies readonly PayerIdType[];

type ReadCustomer =
  | { readonly ok: true; readonly customer: InlineCustomer }
  | { readonly ok: false; readonly wrong: readonly CustomerField[] };

export function readCustomer(typed: TypedCustomer): ReadCustomer {
  const idType = LINK_ID_TYPES.find((type) => type === typed.idType);
  const name = parseName(typed.name ?? '');
  const idNumber = idType && parseDocument(idType, typed.idNumber ?? '');
  const phone = parsePhone(typed.phone ?? '');
  const email = parseEmail(typed.email ?? '');
  if (name.ok && idType && idNumber?.ok && phone.ok && email.ok) {
    const customer = { name: name.value, idType, idNumber: idNumber.value };
    return { ok: true, customer: { ...customer, phone: phone.value, email: email.value } };
  }
  const wrong: CustomerField[] = [];
  if (!name.ok) wrong.push('name');
  if (!idNumber?.ok) wrong.push('idNumber');
  if (!phone.ok) wrong.push('phone');
  if (!email.ok) wrong.push('email');
  return { ok: false, wrong };
}

/** Fills the form, so that a payment can be tried without inventing a person. */
export const SAMPLE_CUSTOMER = {
  name: 'Persona de Prueba',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'pruebas@example.com',
} as const satisfies InlineCustomer;

/** Who a document belongs to, as PSE asks. */
export const personTypeOf = (idType: IdType | undefined) =>
  idType === 'CO_NIT' ? ('BUSINESS' as const) : ('INDIVIDUAL' as const);
