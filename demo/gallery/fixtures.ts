import type {
  Attempt,
  BrebAttempt,
  LinkAttempt,
  Method,
  Offer,
  OfferedBank,
  PseAttempt,
} from '../../src/index.js';
import { QR_PNG } from './codes.js';

/** One order of one shop, as a backend would send it. Everything is invented. */

const MINUTE_MS = 60_000;
const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();

export const merchant = {
  name: 'Café Andino',
  taxId: '900.373.913-4',
  supportEmail: 'pagos@cafeandino.example',
  supportPhone: '601 555 0101',
  supportWhatsapp: '300 555 0101',
  payeeName: 'CAF*** AND***',
  privacyUrl: 'https://cafeandino.example/datos',
  termsUrl: 'https://cafeandino.example/terminos',
};

export const longMerchant = {
  ...merchant,
  name: 'Cooperativa Multiactiva de Caficultores y Artesanos del Suroccidente Antioqueño',
  supportEmail: 'servicio.al.cliente.comercio.electronico@cooperativacaficultores.example',
};

const amountInCents = 12_500_000;

export const banks: OfferedBank[] = [
  ['CO_BANCOLOMBIA', 'Bancolombia'],
  ['CO_BOGOTA', 'Banco de Bogotá'],
  ['CO_DAVIVIENDA', 'Davivienda'],
  ['CO_SCOTIABANK_COLPATRIA', 'Scotiabank Colpatria', 'colpatria'],
  ['CO_OCCIDENTE', 'Banco de Occidente'],
  ['CO_NU', 'Nu', 'nubank'],
  ['CO_NEQUI', 'Nequi'],
  ['CO_POPULAR', 'Banco Popular'],
  ['CO_CAJA_SOCIAL', 'Banco Caja Social'],
  ['CO_AGRARIO', 'Banco Agrario'],
  ['CO_ITAU', 'Itaú'],
  ['CO_CONFIAR', 'Confiar Cooperativa Financiera'],
].map(([code, name, alias]) => ({ code: code!, name: name!, ...(alias && { aliases: [alias] }) }));

export const qrMethod = {
  kind: 'PAYIN',
  rail: 'BRE_B',
  keyType: 'QR_CODE',
  requires: [],
  ceilingInCents: 1_155_200_000,
} satisfies Method;
export const keyMethod = { ...qrMethod, keyType: 'SINGLE_USE' } satisfies Method;
export const pseMethod = {
  kind: 'PAYIN',
  rail: 'PSE',
  banks,
  requires: ['name', 'idType', 'idNumber', 'email', 'phone'],
} satisfies Method;
export const linkMethod = { kind: 'PAYMENT_LINK', rail: null, bank: null } satisfies Method;

export function offer(changes: Partial<Offer> = {}): Offer {
  return {
    version: 'o1',
    amountInCents,
    currency: 'COP',
    description: 'Pedido A-1042 · Café de origen, 2 bolsas de 500 g',
    merchant,
    methods: [qrMethod, keyMethod, pseMethod],
    hints: {},
    attempt: null,
    now: at(0),
    ...changes,
  };
}

const common = () => ({
  order: 'gallery',
  reference: 'A-1042-1',
  amountInCents,
  confirmedAmountInCents: null,
  currency: 'COP' as const,
  errorCode: null,
  createdAt: at(-MINUTE_MS),
  updatedAt: at(0),
  resultAt: null,
  expiresAt: null,
  late: false,
  stalled: false,
  merchant,
  description: 'Pedido A-1042 · Café de origen, 2 bolsas de 500 g',
  settlement: { state: 'OPEN' as const, by: null, duplicate: false },
  version: 'v1',
  now: at(0),
  waited: false,
});

export function breb(
  changes: Partial<BrebAttempt> = {},
  source: Partial<BrebAttempt['sourceData']> = {},
): BrebAttempt {
  return {
    ...common(),
    id: 'payin-bre-b',
    kind: 'PAYIN',
    rail: 'BRE_B',
    status: 'PENDING',
    // A little over, so that the seconds spent on loading do not show.
    expiresAt: at(14 * MINUTE_MS + 33_000),
    sourceData: {
      keyType: 'SINGLE_USE',
      keyString: '@CAFE7K2M9QX4T1',
      qrString: QR_PNG,
      qrText: null,
      checkoutUrl: 'https://pagos.example/checkout?id=01J9ZK3F&token=c2FtcGxlLXRva2Vu',
      ...source,
    },
    ...changes,
  };
}

export function pse(
  changes: Partial<PseAttempt> = {},
  source: Partial<PseAttempt['sourceData']> = {},
): PseAttempt {
  return {
    ...common(),
    id: 'payin-pse',
    kind: 'PAYIN',
    rail: 'PSE',
    status: 'PENDING',
    sourceData: {
      bank: 'CO_BANCOLOMBIA',
      bankName: 'Bancolombia',
      pseUrl: 'https://banco.example/pse?token=demo',
      cus: '90123456',
      ...source,
    },
    ...changes,
  };
}

export function link(changes: Partial<LinkAttempt> = {}): LinkAttempt {
  return {
    ...common(),
    id: 'link-1',
    kind: 'PAYMENT_LINK',
    rail: null,
    status: 'PENDING',
    expiresAt: at(59 * MINUTE_MS),
    paymentLinkUrl: 'https://pagos.example/l/01J9ZK3FVX8Q',
    ...changes,
  };
}

export function paid<Kind extends Attempt>(attempt: Kind): Kind {
  const status = attempt.kind === 'PAYIN' ? 'CONFIRMED' : 'COMPLETED';
  return {
    ...attempt,
    status,
    resultAt: at(0),
    settlement: { state: 'PAID', by: attempt.id, duplicate: false },
  };
}

/** One of the payments that reached the order. */
export const payment = (reference: string, amountInCents: number) => ({
  reference,
  amountInCents,
  at: at(0),
});

/** Paid with less than the order costs; the rest can be paid. */
export function underpaid(): BrebAttempt {
  return {
    ...paid(breb()),
    confirmedAmountInCents: 12_000_000,
    settlement: {
      state: 'AMOUNT_DIFFERS',
      by: 'payin-bre-b',
      duplicate: false,
      paidInCents: 12_000_000,
      orderAmountInCents: amountInCents,
      payments: [payment('A-1042-1', 12_000_000)],
    },
  };
}
