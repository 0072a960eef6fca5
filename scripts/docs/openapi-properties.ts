/**
 * What each property of the backend contract means, with an example, for docs/backend.openapi.json. It is not in the
 * schemas themselves because they travel to every payer's browser. `scripts/docs/openapi.ts` refuses a property that is not
 * here, and an entry that no property has.
 */

export interface PropertyText {
  readonly description: string;
  /** Left out where the schema allows one value only, which is then the example. */
  readonly example?: unknown;
}

/** By the property's name; what lies deeper has its path, as in `sourceData.keyString`. */
export type SchemaText = Readonly<Record<string, PropertyText>>;

const ORDER = 'A-1042.5Yw0hVt1xJ2kQm7r';
const ATTEMPT_ID = '8c1f0b6e2d9a4f57';
const OTHER_ATTEMPT_ID = '1a90c3d7e5b84f26';
const CREATED_AT = '2026-01-15T15:00:00.000Z';
const UPDATED_AT = '2026-01-15T15:00:01.200Z';
const EXPIRES_AT = '2026-01-15T15:15:00.000Z';
const RETURN_URL = 'https://shop.example/pago';
const PRICE = 4_290_000;

/** An object made of the examples of its own properties. */
function exampleOf(text: SchemaText, constants: object = {}): object {
  const own = Object.entries(text).filter(
    ([path, { example }]) => !path.includes('.') && example !== undefined,
  );
  return { ...constants, ...Object.fromEntries(own.map(([name, { example }]) => [name, example])) };
}

const Bank: SchemaText = {
  code: { description: 'The payment service’s code of the bank.', example: 'CO_BANCOLOMBIA' },
  name: { description: 'The bank’s name as payers know it.', example: 'Bancolombia' },
  aliases: { description: 'Other names that payers may search for.', example: ['Bancolombia S.A.'] },
  first: {
    description:
      'Its place in the list before all banks without one, which follow A to Z: the bank of most payers has 1.',
    example: 2,
  },
};

const Merchant: SchemaText = {
  name: { description: 'The shop’s name, on every screen and on the receipt.', example: 'Café Andino' },
  taxId: { description: 'The shop’s NIT, for the receipt.', example: '900123456-8' },
  supportEmail: { description: 'Where a payer with a problem writes to.', example: 'ayuda@cafe.example' },
  supportPhone: { description: 'Where a payer with a problem calls.', example: '+57 601 555 0100' },
  supportWhatsapp: {
    description:
      'Where a payer with a problem writes by WhatsApp: a Colombian mobile, or a number with its country’s code.',
    example: '+57 300 555 0100',
  },
  payeeName: {
    description: 'The receiver’s name as the payer’s bank shows it, so that the payer recognises it.',
    example: 'CAFE ANDINO SAS',
  },
  privacyUrl: {
    description: 'The shop’s data policy, linked to where personal data are asked for.',
    example: 'https://shop.example/datos',
  },
  termsUrl: { description: 'The terms of the sale.', example: 'https://shop.example/terminos' },
};

const kindOfPayin = { description: 'Paid on the shop’s own page. The other kind is `PAYMENT_LINK`.' };
const kindOfLink = { description: 'Paid on the payment service’s hosted page. The other kind is `PAYIN`.' };

const requires: PropertyText = {
  description: 'What the payer must still fill in. The backend adds what the shop knows already.',
  example: ['name', 'idType', 'idNumber', 'email'],
};

const BrebApp: SchemaText = {
  name: { description: 'The app’s name as payers know it.', example: 'Nequi' },
  url: {
    description:
      'An https address that opens the app, as its maker publishes it. Without one payers are only told the path.',
    example: 'https://app.example/bre-b',
  },
  path: { description: 'Where Bre-B is in the app.', example: 'Bre-B › Pagar con llave' },
};

const BrebMethod: SchemaText = {
  kind: kindOfPayin,
  rail: { description: 'Bre-B: the payer pays to a key or a QR in any bank’s app.' },
  keyType: {
    description: '`QR_CODE` gives a QR and a key; `SINGLE_USE` gives a key for this payment alone.',
    example: 'QR_CODE',
  },
  requires: { ...requires, example: [] },
  ceilingInCents: {
    description:
      'Above it the payer’s bank may refuse: the widget says so and preselects another method. The network’s own is 1,000 UVB, COP 11,552,000 in 2025.',
    example: 1_155_200_000,
  },
  apps: {
    description:
      'The apps of most payers, offered on a phone: choosing one copies the key, opens the address, and says the path.',
    example: [exampleOf(BrebApp)],
  },
};

const PseMethod: SchemaText = {
  kind: kindOfPayin,
  rail: { description: 'PSE: the payer authorises a debit on the bank’s own page.' },
  banks: { description: 'The banks that the payer can choose from.', example: [exampleOf(Bank)] },
  requires,
};

const LinkMethod: SchemaText = {
  kind: kindOfLink,
  rail: { description: 'The only rail that the hosted page offers; null for all of them.', example: 'PSE' },
  bank: {
    description: 'The bank that the hosted page has selected already; only with rail `PSE`.',
    example: 'CO_BANCOLOMBIA',
  },
};

const GivenCustomer: SchemaText = {
  name: { description: 'The payer’s full name, or the company’s.', example: 'Ana Gómez' },
  idType: {
    description: 'The kind of document: cédula, cédula de extranjería, NIT, RFC or passport.',
    example: 'CO_CC',
  },
  idNumber: { description: 'The document’s number, as the payer typed it.', example: '1020304050' },
  phone: { description: 'The payer’s mobile number.', example: '3001234567' },
  email: { description: 'The payer’s e-mail address.', example: 'ana@correo.example' },
};

const Hints: SchemaText = {
  name: { description: 'The name the shop knows, masked.', example: 'A••• G•••' },
  idType: { description: 'The kind of document the shop knows.', example: 'CO_CC' },
  idNumber: { description: 'The document’s number the shop knows, masked.', example: '•••050' },
  phone: { description: 'The phone number the shop knows, masked.', example: '•••567' },
  email: { description: 'The e-mail address the shop knows, masked.', example: 'a•••@correo.example' },
  personType: {
    description: 'Whether a person or a company pays, where the shop knows it.',
    example: 'INDIVIDUAL',
  },
};

const Settlement: SchemaText = {
  state: {
    description:
      '`OPEN`: not paid yet. `PAID`: paid exactly. `AMOUNT_DIFFERS`: something else was paid than the order costs.',
    example: 'PAID',
  },
  by: { description: 'The id of the attempt that paid; null while nothing was.', example: ATTEMPT_ID },
  duplicate: {
    description: 'More was paid than the order costs, by more than one attempt. A person gives money back.',
    example: false,
  },
  paidInCents: { description: 'What was paid in all, when that is not the price.', example: PRICE },
  orderAmountInCents: { description: 'What the order costs, beside `paidInCents`.', example: PRICE },
  payments: {
    description: 'Every payment of the order, oldest first, when it was not simply paid once.',
    example: [{ reference: 'A-1042-1', amountInCents: PRICE, at: UPDATED_AT }],
  },
  'payments.reference': { description: 'The reference of that payment.', example: 'A-1042-1' },
  'payments.amountInCents': { description: 'What that payment brought.', example: PRICE },
  'payments.at': { description: 'When it was confirmed.', example: UPDATED_AT },
};

const open = { state: 'OPEN', by: null, duplicate: false };

const attempt: SchemaText = {
  id: {
    description: 'The attempt’s id: 128 random bits or more, since it opens the outcome without a sign-in.',
    example: ATTEMPT_ID,
  },
  order: { description: 'The order’s token, as the widget sent it.', example: ORDER },
  reference: {
    description: 'The backend’s name for the payment, for receipts and support.',
    example: 'A-1042-1',
  },
  amountInCents: { description: 'What was asked for, in cents: $ 42.900 is 4290000.', example: PRICE },
  confirmedAmountInCents: {
    description: 'What was paid, once it is known. Null on a confirmed payment means exactly what was asked.',
    example: PRICE,
  },
  currency: { description: 'The currency of every amount in this answer.', example: 'COP' },
  errorCode: {
    description: 'Why it failed, as the payment service or the backend names it; null when it did not.',
    example: 'DECLINED_BY_BANK',
  },
  createdAt: { description: 'When the attempt was started.', example: CREATED_AT },
  updatedAt: { description: 'When it changed last.', example: UPDATED_AT },
  resultAt: { description: 'When its outcome was known; null while it is open.', example: UPDATED_AT },
  expiresAt: {
    description: 'From when on it is no longer offered to the payer. It stays watched and can still be paid.',
    example: EXPIRES_AT,
  },
  late: {
    description: 'Paid after it had expired, or after another outcome was reported.',
    example: false,
  },
  stalled: {
    description:
      'The key or the bank’s address should be there by now. The payer may wait or pay in another way.',
    example: false,
  },
  replaced: {
    description: 'A later attempt took its place. It stays watched, and should not be paid any more.',
    example: false,
  },
  started: {
    description: 'False when no payment was made, because the service could not be reached or refused.',
    example: true,
  },
  merchant: { description: 'The shop as it was when the attempt was started.', example: exampleOf(Merchant) },
  description: {
    description: 'What is being paid for, as the payer reads it.',
    example: 'Café de origen, 500 g',
  },
  settlement: { description: 'How the whole order stands, whichever attempt is read.', example: open },
  version: {
    description: 'Changes with anything the payer could see of the order. Sent back as `after`.',
    example: 'v7',
  },
  now: { description: 'The server’s clock: what the widget counts down by.', example: UPDATED_AT },
  waited: { description: 'The backend can hold an answer until something changes.', example: true },
};

const payinStatus: PropertyText = {
  description:
    '`PENDING` and `PROCESSING` are open, the others are final. A status that is not listed is open, never paid.',
  example: 'PROCESSING',
};

const breb: SchemaText = {
  keyType: { description: 'The kind of key.', example: 'QR_CODE' },
  keyString: {
    description: 'The key that the payer copies into the bank’s app.',
    example: '@FJFCCKPF4LA3XP6PTRU',
  },
  qrString: {
    description: 'The payment service’s QR as a PNG in a data URL; shown once it is checked to be one.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  },
  qrText: {
    description: 'The QR’s text (EMVCo) for the widget to draw, where there is no picture.',
    example: null,
  },
  checkoutUrl: {
    description: 'The service’s page of this payment, to go on with on a phone.',
    example: 'https://service.example/checkout/8c1f',
  },
};

const pse: SchemaText = {
  bank: { description: 'The code of the payer’s bank.', example: 'CO_BANCOLOMBIA' },
  bankName: { description: 'Its name, as the payer reads it.', example: 'Bancolombia' },
  pseUrl: {
    description: 'The bank’s page, where the widget sends the payer; null until the service knows it.',
    example: 'https://bank.example/pse/8c1f',
  },
  cus: {
    description: 'The bank’s number of the transaction (CUS), for receipts and complaints.',
    example: '1029384756',
  },
};

const under = (name: string, text: SchemaText): SchemaText =>
  Object.fromEntries(Object.entries(text).map(([path, each]) => [`${name}.${path}`, each]));

const BrebAttempt: SchemaText = {
  ...attempt,
  kind: kindOfPayin,
  status: payinStatus,
  rail: { description: 'The rail of this payment: Bre-B.' },
  sourceData: {
    description: 'What the payer pays with; null while the service’s answer is unclear.',
    example: exampleOf(breb),
  },
  ...under('sourceData', breb),
};

const PseAttempt: SchemaText = {
  ...attempt,
  kind: kindOfPayin,
  status: payinStatus,
  rail: { description: 'The rail of this payment: PSE.' },
  sourceData: {
    description: 'The payer’s bank and the way there; null while the service’s answer is unclear.',
    example: exampleOf(pse),
  },
  ...under('sourceData', pse),
};

const LinkAttempt: SchemaText = {
  ...attempt,
  kind: kindOfLink,
  status: {
    description: '`COMPLETED` is paid, `EXPIRED` is over. A status that is not listed is open, never paid.',
    example: 'PENDING',
  },
  rail: { description: 'The only rail that its page offers; null for all of them.', example: null },
  paymentLinkUrl: {
    description: 'The hosted page, where the payer goes; null until the service has made it.',
    example: 'https://service.example/links/8c1f',
  },
};

/** An attempt that was just started. */
const startedAttempt = {
  ...exampleOf(BrebAttempt, { kind: 'PAYIN', rail: 'BRE_B' }),
  confirmedAmountInCents: null,
  errorCode: null,
  resultAt: null,
};

const Offer: SchemaText = {
  version: { description: 'Changes when the price or the methods change.', example: 'v3' },
  amountInCents: {
    description: 'The price, in cents: $ 42.900 is 4290000. The backend decides it.',
    example: PRICE,
  },
  currency: { description: 'The currency of the price.', example: 'COP' },
  description: {
    description: 'What is being paid for, as the payer reads it.',
    example: 'Café de origen, 500 g',
  },
  merchant: { description: 'Who sells it.', example: exampleOf(Merchant) },
  methods: {
    description: 'The ways to pay it, in the order in which they are shown.',
    example: [
      exampleOf(BrebMethod, { kind: 'PAYIN', rail: 'BRE_B' }),
      exampleOf(PseMethod, { kind: 'PAYIN', rail: 'PSE' }),
    ],
  },
  hints: {
    description: 'Masked words for what the shop knows of the payer. Never the values themselves.',
    example: exampleOf(Hints),
  },
  attempt: {
    description: 'The attempt that is open or that paid; null when there is none.',
    example: startedAttempt,
  },
  now: { description: 'The server’s clock.', example: CREATED_AT },
};

const start: SchemaText = {
  order: { description: 'The order’s token, which the shop’s page put into the element.', example: ORDER },
  offerVersion: {
    description:
      'The version of the offer that the payer saw. With an older one the answer is 409 `offer_changed`.',
    example: 'v3',
  },
  callbackUrl: {
    description: 'The page to come back to from the bank or the hosted page.',
    example: RETURN_URL,
  },
  replaces: {
    description: 'The current attempt’s id, when the payer wants another method or a new key.',
    example: OTHER_ATTEMPT_ID,
  },
  override: {
    description: 'The payer declares not to have authorised the PSE payment that is being replaced.',
    example: false,
  },
};

const chosenBank: PropertyText = {
  description: 'The code of the bank the payer chose.',
  example: 'CO_BANCOLOMBIA',
};

const StartPayin: SchemaText = {
  ...start,
  rail: { description: 'The rail the payer chose; what it needs is in `breb` or in `pse`.' },
  breb: { description: 'What Bre-B needs.', example: { keyType: 'QR_CODE' } },
  'breb.keyType': { description: 'The kind of key, as the offer has it.', example: 'QR_CODE' },
  pse: { description: 'What PSE needs.', example: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } },
  'pse.bank': chosenBank,
  'pse.personType': { description: 'Whether a person or a company pays.', example: 'INDIVIDUAL' },
  inlineCustomer: {
    description: 'What the payer filled in, as far as the method `requires` it. It is never sent back.',
    example: exampleOf(GivenCustomer),
  },
};

const StartLink: SchemaText = {
  ...start,
  rail: {
    description: 'The only rail that the hosted page shall offer; all of them without it.',
    example: 'PSE',
  },
  pse: {
    description: 'What the hosted page shall have selected; only with rail `PSE`.',
    example: { bank: 'CO_BANCOLOMBIA' },
  },
  'pse.bank': chosenBank,
};

const Problem: SchemaText = {
  type: {
    description: 'The kind of problem as an address (RFC 9457); `about:blank` where there is none.',
    example: 'about:blank',
  },
  title: {
    description: 'What went wrong, for an engineer. Payers never see it.',
    example: 'The order is paid',
  },
  status: { description: 'The HTTP status once more.', example: 409 },
  code: {
    description: 'What programs act on. Each is explained in docs/problems.md.',
    example: 'already_paid',
  },
  detail: {
    description: 'More about this one case, without personal data.',
    example: 'Paid by attempt 8c1f0b6e2d9a4f57',
  },
  errors: {
    description: 'Which fields are wrong, with `invalid_request`.',
    example: [{ field: 'inlineCustomer.email', code: 'format' }],
  },
  'errors.field': { description: 'The field’s path in the request.', example: 'inlineCustomer.email' },
  'errors.code': { description: 'What is wrong with it.', example: 'format' },
  attempt: {
    description: 'The attempt it is about: the one that paid, or the current one.',
    example: startedAttempt,
  },
  offer: {
    description: 'The new offer, with `offer_changed`.',
    example: { ...exampleOf(Offer), attempt: null },
  },
  retryAt: { description: 'When to try again, with `pse_in_progress`.', example: '2026-01-15T15:21:00.000Z' },
};

export const PROPERTIES: Readonly<Record<string, SchemaText>> = {
  Bank,
  BrebApp,
  BrebAttempt,
  BrebMethod,
  GivenCustomer,
  Hints,
  LinkAttempt,
  LinkMethod,
  Merchant,
  Offer,
  Problem,
  PseAttempt,
  PseMethod,
  Settlement,
  StartLink,
  StartPayin,
};
