import { type Phase, type PayCheckoutElement, TransportError } from '../../src/index.js';
import type { Answers } from './canned-transport.js';
import { QR_TEXT } from './codes.js';
import {
  breb,
  keyMethod,
  link,
  linkMethod,
  longMerchant,
  merchant,
  offer,
  paid,
  payment,
  pse,
  pseMethod,
  qrMethod,
  underpaid,
} from './fixtures.js';

export type GalleryRail = 'ANY' | 'BRE_B' | 'PSE' | 'LINK';

/** One picture of the gallery: what the backend says and what the payer did to get there. */
export interface GalleryScreen {
  readonly id: string;
  readonly title: string;
  readonly rail: GalleryRail;
  /** The phase it must end in, so that a gallery that shows something else is noticed. */
  readonly phase: Phase;
  readonly answers: () => Answers;
  /** The payer comes back from the bank by this attempt's id. */
  readonly returned?: string;
  readonly properties?: Partial<Pick<PayCheckoutElement, 'hosted' | 'share' | 'customer' | 'bank'>>;
  /** Seen on a touch screen, whatever the gallery is seen on. */
  readonly touch?: boolean;
  /** Needs the page to itself: what happens to the window happens to every element that is there. */
  readonly first?: boolean;
  readonly act?: (payer: Payer) => Promise<void>;
}

/** What a payer does, by what a payer sees. */
export interface Payer {
  press(part: 'button' | 'button-secondary', index?: number): Promise<void>;
  /** Waits until a press has led there. */
  sees(phase: Phase): Promise<void>;
  tick(index: number): Promise<void>;
  type(id: string, text: string): Promise<void>;
  toggle(part: string): Promise<void>;
  /** The device loses its network. */
  offline(): Promise<void>;
}

const open = (attempt: Answers['created'] & object) => () => ({
  offer: offer({ attempt: attempt instanceof TransportError ? null : attempt }),
});
const refused = (
  code: 'service_unavailable' | 'too_many_attempts' | 'not_found' | 'pse_in_progress' | 'offer_changed',
  more = {},
) => new TransportError('PROBLEM', { problem: { code, ...more }, status: 409 });

const apps = [
  { name: 'Nequi', path: 'Bre-B' },
  { name: 'Bancolombia', path: 'Bre-B Tus llaves' },
];
const filled = {
  name: 'Ana María Restrepo',
  idType: 'CO_CC',
  idNumber: '1020304050',
  email: 'ana@correo.example',
  phone: '300 123 4567',
} as const;

export const screens: readonly GalleryScreen[] = [
  { id: 'loading', title: 'Cargando', rail: 'ANY', phase: 'loading', answers: () => ({}) },
  { id: 'choose', title: 'Elegir', rail: 'ANY', phase: 'choosing', answers: () => ({ offer: offer() }) },
  {
    id: 'choose-one',
    title: 'Un solo medio',
    rail: 'BRE_B',
    phase: 'choosing',
    answers: () => ({ offer: offer({ methods: [keyMethod] }) }),
  },
  {
    id: 'choose-long',
    title: 'Nombres largos, valor sobre el tope',
    rail: 'ANY',
    phase: 'choosing',
    answers: () => ({
      offer: offer({
        merchant: longMerchant,
        amountInCents: 1_845_067_250,
        description:
          'Pedido 2026-000184-ANT · Máquina de espresso profesional de dos grupos con molino y garantía extendida',
        methods: [{ ...keyMethod, requires: ['name', 'email'] }, pseMethod],
      }),
    }),
    act: (payer) => payer.tick(0),
  },
  {
    id: 'choose-again',
    title: 'Cambiar de medio',
    rail: 'BRE_B',
    phase: 'choosing',
    answers: open(breb()),
    act: (payer) => payer.press('button-secondary', -3),
  },
  {
    id: 'price-changed',
    title: 'El valor cambió',
    rail: 'ANY',
    phase: 'choosing',
    answers: () => ({
      offer: offer(),
      created: refused('offer_changed', { offer: offer({ version: 'v2', amountInCents: 13_000_000 }) }),
    }),
    act: async (payer) => {
      await payer.press('button');
      await payer.sees('choosing');
    },
  },
  {
    id: 'creating',
    title: 'Generando la llave',
    rail: 'BRE_B',
    phase: 'creating',
    answers: () => ({ offer: offer() }),
    act: (payer) => payer.press('button'),
  },
  {
    id: 'details-breb',
    title: 'Datos para Bre-B',
    rail: 'BRE_B',
    phase: 'details',
    answers: () => ({
      offer: offer({
        methods: [{ ...qrMethod, requires: ['name', 'idType', 'idNumber'] }, pseMethod],
        hints: { email: 'a***@correo.example', phone: '*** *** 4567' },
      }),
    }),
    act: (payer) => payer.press('button'),
  },
  {
    id: 'details-pse',
    title: 'PSE, datos',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({ offer: offer() }),
    properties: { bank: 'CO_BANCOLOMBIA' },
    act: async (payer) => {
      await payer.tick(1);
      await payer.press('button');
      await payer.sees('details');
    },
  },
  {
    id: 'details-errors',
    title: 'PSE, errores',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({ offer: offer() }),
    act: async (payer) => {
      await payer.tick(1);
      await payer.press('button');
      await payer.sees('details');
      await payer.type('idNumber', '12A456');
      await payer.type('email', 'ana@correo');
      await payer.press('button');
    },
  },
  {
    id: 'details-banks',
    title: 'PSE, buscar banco',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({
      offer: offer({ methods: [{ ...pseMethod, requires: ['idType', 'idNumber'] }, keyMethod] }),
    }),
    act: async (payer) => {
      await payer.press('button');
      await payer.sees('details');
      await payer.type('bank', 'banco');
    },
  },
  {
    id: 'details-none',
    title: 'PSE, banco que no existe',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({
      offer: offer({ methods: [{ ...pseMethod, requires: ['idType', 'idNumber'] }, keyMethod] }),
    }),
    act: async (payer) => {
      await payer.press('button');
      await payer.sees('details');
      await payer.type('bank', 'marte');
    },
  },
  {
    id: 'details-business',
    title: 'PSE, empresa',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({ offer: offer({ methods: [pseMethod, keyMethod] }) }),
    properties: { customer: { idType: 'CO_NIT' } },
    act: (payer) => payer.press('button'),
  },
  {
    id: 'details-no-banks',
    title: 'PSE, sin lista de bancos',
    rail: 'PSE',
    phase: 'details',
    answers: () => ({ offer: offer({ methods: [{ ...pseMethod, banks: [] }, keyMethod] }) }),
    act: (payer) => payer.press('button'),
  },
  {
    id: 'creating-pse',
    title: 'PSE, preparando',
    rail: 'PSE',
    phase: 'creating',
    answers: () => ({ offer: offer({ methods: [pseMethod, keyMethod] }) }),
    properties: { customer: filled, bank: 'CO_BANCOLOMBIA' },
    act: async (payer) => {
      await payer.press('button');
      await payer.sees('details');
      await payer.press('button');
    },
  },
  { id: 'breb', title: 'Bre-B', rail: 'BRE_B', phase: 'paying', answers: open(breb()) },
  {
    id: 'breb-touch',
    title: 'Bre-B, en el celular',
    rail: 'BRE_B',
    phase: 'paying',
    touch: true,
    answers: () => ({ offer: offer({ attempt: breb(), methods: [{ ...qrMethod, apps }, pseMethod] }) }),
  },
  {
    id: 'breb-drawn',
    title: 'Bre-B, QR dibujado',
    rail: 'BRE_B',
    phase: 'paying',
    answers: open(breb({}, { keyType: 'QR_CODE', qrString: null, qrText: QR_TEXT })),
  },
  {
    id: 'breb-phone',
    title: 'Bre-B, continúa en tu celular',
    rail: 'BRE_B',
    phase: 'paying',
    answers: open(breb()),
    act: (payer) => payer.toggle('phone'),
  },
  {
    id: 'breb-key',
    title: 'Bre-B, solo la llave',
    rail: 'BRE_B',
    phase: 'paying',
    answers: open(breb({ expiresAt: null }, { qrString: null })),
  },
  {
    id: 'breb-qr-failed',
    title: 'Bre-B, QR ilegible',
    rail: 'BRE_B',
    phase: 'paying',
    answers: open(breb({}, { qrString: 'data:image/png;base64,AAAA' })),
  },
  {
    id: 'breb-nothing-yet',
    title: 'Bre-B, aún no llega',
    rail: 'BRE_B',
    phase: 'paying',
    answers: open(breb()),
    act: (payer) => payer.press('button-secondary', -1),
  },
  {
    id: 'breb-unreachable',
    title: 'Bre-B, no logramos consultar',
    rail: 'BRE_B',
    phase: 'paying',
    answers: () => ({ offer: offer({ attempt: breb() }), read: new TransportError('NETWORK') }),
    act: (payer) => payer.press('button-secondary', -1),
  },
  {
    id: 'breb-again',
    title: 'Bre-B, otra llave',
    rail: 'BRE_B',
    phase: 'paying',
    answers: () => ({ offer: offer({ attempt: breb() }), created: breb({ id: 'payin-bre-b-2' }) }),
    act: async (payer) => {
      await payer.press('button-secondary', -2);
      await payer.sees('paying');
    },
  },
  {
    id: 'breb-replaced',
    title: 'Bre-B, otra llave en otra pestaña',
    rail: 'BRE_B',
    phase: 'paying',
    answers: open(breb({ replaced: true })),
  },
  {
    id: 'breb-in-progress',
    title: 'Bre-B, ya había un pago en curso',
    rail: 'BRE_B',
    phase: 'paying',
    answers: () => ({
      offer: offer({ methods: [keyMethod, linkMethod] }),
      created: breb({}, { keyType: 'QR_CODE' }),
    }),
    act: (payer) => payer.press('button'),
  },
  {
    id: 'breb-offline',
    title: 'Bre-B, sin conexión',
    first: true,
    rail: 'BRE_B',
    phase: 'paying',
    answers: () => ({ offer: offer({ attempt: breb() }), read: 'NEVER' }),
    act: (payer) => payer.offline(),
  },
  {
    id: 'preparing',
    title: 'PSE, conectando con el banco',
    rail: 'PSE',
    phase: 'preparing',
    answers: open(pse({}, { pseUrl: null })),
  },
  {
    id: 'stalled',
    title: 'PSE, el banco no responde',
    rail: 'PSE',
    phase: 'preparing',
    answers: open(pse({ stalled: true }, { pseUrl: null })),
  },
  {
    id: 'stalled-breb',
    title: 'Bre-B, la llave tarda',
    rail: 'BRE_B',
    phase: 'preparing',
    answers: open(breb({ stalled: true, sourceData: null })),
  },
  {
    id: 'redirecting',
    title: 'PSE, hacia el banco',
    rail: 'PSE',
    phase: 'redirecting',
    // An address of this very page, so that the browser stays to be looked at.
    answers: () => ({
      offer: offer({ attempt: pse({}, { pseUrl: `${location.href.split('#')[0]}#bank` }) }),
    }),
    act: (payer) => payer.press('button-secondary', 0),
  },
  {
    id: 'verifying',
    title: 'PSE, de vuelta del banco',
    rail: 'PSE',
    phase: 'verifying',
    returned: 'payin-pse',
    answers: () => ({ read: pse({ status: 'PROCESSING' }) }),
  },
  {
    id: 'pending',
    title: 'PSE, pendiente en el banco',
    rail: 'PSE',
    phase: 'pending',
    answers: open(pse({ status: 'PROCESSING' })),
  },
  {
    id: 'pending-blocked',
    title: 'PSE, otro medio con un pago en curso',
    rail: 'PSE',
    phase: 'pending',
    answers: () => ({
      offer: offer({ attempt: pse(), methods: [keyMethod, pseMethod] }),
      created: refused('pse_in_progress', {
        attempt: pse(),
        retryAt: new Date(Date.now() + 12 * 60_000).toISOString(),
      }),
    }),
    act: async (payer) => {
      await payer.press('button-secondary', 1);
      await payer.sees('choosing');
      await payer.press('button');
    },
  },
  {
    id: 'lapsed',
    title: 'La llave venció',
    rail: 'BRE_B',
    phase: 'lapsed',
    answers: open(breb({ expiresAt: new Date(Date.now() - 60_000).toISOString() })),
  },
  {
    id: 'confirmed',
    title: 'Aprobado, PSE',
    rail: 'PSE',
    phase: 'confirmed',
    answers: () => open(paid(pse()))(),
  },
  {
    id: 'confirmed-breb',
    title: 'Aprobado, Bre-B',
    rail: 'BRE_B',
    phase: 'confirmed',
    answers: () => open(paid(breb()))(),
  },
  {
    id: 'confirmed-late',
    title: 'Aprobado, después de vencer',
    rail: 'BRE_B',
    phase: 'confirmed',
    answers: open({ ...paid(breb()), late: true }),
  },
  {
    id: 'amount-differs',
    title: 'Llegó menos: pagar el resto',
    rail: 'BRE_B',
    phase: 'amount-differs',
    answers: open(underpaid()),
  },
  {
    id: 'amount-more',
    title: 'Llegó de más',
    rail: 'BRE_B',
    phase: 'amount-differs',
    answers: open({
      ...paid(breb()),
      confirmedAmountInCents: 13_000_000,
      settlement: {
        state: 'AMOUNT_DIFFERS',
        by: 'payin-bre-b',
        duplicate: false,
        paidInCents: 13_000_000,
        orderAmountInCents: 12_500_000,
        payments: [payment('A-1042-1', 13_000_000)],
      },
    }),
  },
  {
    id: 'choose-rest',
    title: 'Pagar lo que falta',
    rail: 'ANY',
    phase: 'choosing',
    answers: () => ({ offer: offer({ amountInCents: 500_000, attempt: underpaid() }) }),
    act: async (payer) => {
      await payer.press('button');
      await payer.sees('choosing');
    },
  },
  {
    id: 'duplicate',
    title: 'Pagado dos veces',
    rail: 'BRE_B',
    phase: 'duplicate',
    answers: open({
      ...paid(breb()),
      settlement: {
        state: 'PAID',
        by: 'payin-bre-b',
        duplicate: true,
        orderAmountInCents: 12_500_000,
        payments: [payment('A-1042-1', 12_500_000), payment('A-1042-2', 12_500_000)],
      },
    }),
  },
  {
    id: 'declined',
    title: 'Rechazado',
    rail: 'PSE',
    phase: 'declined',
    answers: open(pse({ status: 'DECLINED', resultAt: new Date().toISOString() })),
  },
  {
    id: 'declined-limit',
    title: 'Rechazado por monto',
    rail: 'PSE',
    phase: 'declined',
    answers: open(pse({ status: 'DECLINED', errorCode: 'limit_exceeded', merchant: longMerchant })),
  },
  {
    id: 'canceled',
    title: 'Cancelado',
    rail: 'PSE',
    phase: 'canceled',
    answers: open(pse({ status: 'CANCELED', resultAt: new Date().toISOString() })),
  },
  {
    id: 'link',
    title: 'Enlace de pago',
    rail: 'LINK',
    phase: 'link',
    properties: { hosted: true, share: true },
    answers: () => ({ offer: offer({ methods: [linkMethod], attempt: link() }) }),
  },
  {
    id: 'link-expired',
    title: 'Enlace vencido',
    rail: 'LINK',
    phase: 'lapsed',
    properties: { hosted: true, share: true },
    answers: () => ({ offer: offer({ methods: [linkMethod], attempt: link({ status: 'EXPIRED' }) }) }),
  },
  {
    id: 'failed-network',
    title: 'Sin respuesta al cargar',
    rail: 'ANY',
    phase: 'failed',
    answers: () => ({ offer: new TransportError('NETWORK') }),
  },
  {
    id: 'failed-create',
    title: 'Servicio caído al crear',
    rail: 'BRE_B',
    phase: 'failed',
    answers: () => ({ offer: offer(), created: refused('service_unavailable') }),
    act: (payer) => payer.press('button'),
  },
  {
    id: 'failed-attempts',
    title: 'Demasiados intentos',
    rail: 'BRE_B',
    phase: 'failed',
    answers: () => ({ offer: offer({ merchant }), created: refused('too_many_attempts') }),
    act: (payer) => payer.press('button'),
  },
  {
    id: 'failed-order',
    title: 'Pedido desconocido',
    rail: 'ANY',
    phase: 'failed',
    answers: () => ({ offer: refused('not_found') }),
  },
];
