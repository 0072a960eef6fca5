import { TransportError } from '../../../src/index.js';
import {
  breb,
  link,
  linkMethod,
  longMerchant,
  merchant,
  offer,
  paid,
  payment,
  pse,
  underpaid,
} from '../fixtures.js';
import { type GalleryScreen, open, refused } from './screen.js';

/** What became of a payment, links, and what fails. */
export const ended: readonly GalleryScreen[] = [
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
