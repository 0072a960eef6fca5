import { bilingual, type Names, type Texts } from './bilingual.js';

/** What all pages say alike. */

export const COMMON_TEXTS = {
  otherLanguage: ['English', 'Español'],
  skip: ['Saltar al contenido', 'Skip to content'],
  navigation: ['Secciones', 'Sections'],
  live: ['En vivo', 'Live'],
  loading: ['Cargando…', 'Loading…'],
  retry: ['Reintentar', 'Try again'],
  all: ['Todos', 'All'],
  noValue: ['—', '—'],
  copy: ['Copiar', 'Copy'],
  copied: ['Copiado', 'Copied'],
  notCopied: [
    'No se pudo copiar. Está seleccionado: cópialo con tu teclado.',
    'It could not be copied. It is selected: copy it with your keyboard.',
  ],
  rowsOf: (first: number, last: number, total: number) => [
    `${first} a ${last} de ${total}`,
    `${first} to ${last} of ${total}`,
  ],
  pages: ['Páginas', 'Pages'],
  newer: ['Más nuevos', 'Newer'],
  older: ['Más antiguos', 'Older'],
  statuses: {
    PENDING: ['Pendiente', 'Pending'],
    PROCESSING: ['En proceso', 'Processing'],
    CONFIRMED: ['Confirmado', 'Confirmed'],
    DECLINED: ['Rechazado', 'Declined'],
    CANCELED: ['Cancelado', 'Canceled'],
    COMPLETED: ['Pagado', 'Paid'],
    EXPIRED: ['Vencido', 'Expired'],
    WAITING: ['En espera', 'Waiting'],
    DELIVERED: ['Entregado', 'Delivered'],
    LOST: ['Perdido', 'Lost'],
    GIVEN_UP: ['Abandonado', 'Given up'],
    SENDING: ['Enviando', 'Sending'],
    UNCLEAR: ['Por aclarar', 'Unclear'],
    REFUSED: ['No se envió', 'Not sent'],
    CHARGED_BACK: ['Reversado', 'Charged back'],
  },
  /** How money comes, and how it goes out. */
  rails: {
    BRE_B: ['Bre-B', 'Bre-B'],
    PSE: ['PSE', 'PSE'],
    PAYMENT_LINK: ['Enlace de pago', 'Payment link'],
    REFUND: ['Devolución', 'Refund'],
    PAYOUT: ['Pago enviado', 'Payout'],
    CHARGEBACK: ['Contracargo', 'Chargeback'],
  } as Names,
} satisfies Texts;

export const COMMON_WORDS = bilingual(COMMON_TEXTS);
export type CommonWords = (typeof COMMON_WORDS)['es'];
