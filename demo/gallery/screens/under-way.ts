import { TransportError } from '../../../src/index.js';
import { QR_TEXT } from '../codes.js';
import { breb, keyMethod, linkMethod, offer, pse, pseMethod, qrMethod } from '../fixtures.js';
import { type GalleryScreen, open, refused } from './screen.js';

const apps = [
  { name: 'Nequi', path: 'Bre-B' },
  { name: 'Bancolombia', path: 'Bre-B Tus llaves' },
];

/** A payment that is not decided yet: a key to pay, the way to the bank. */
export const underWay: readonly GalleryScreen[] = [
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
    id: 'lapsed-pse',
    title: 'El tiempo para pagar venció',
    rail: 'PSE',
    phase: 'lapsed',
    answers: open(pse({ expiresAt: new Date(Date.now() - 60_000).toISOString() })),
  },
];
