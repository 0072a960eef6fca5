/** What all pages say alike, in both languages. Spanish is the original. */

export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
/** Names for codes that others write; one that is not here is shown as it is. */
export type Dictionary = Readonly<Record<string, string>>;

const es = {
  otherLanguage: 'English',
  skip: 'Saltar al contenido',
  navigation: 'Secciones',
  live: 'En vivo',
  loading: 'Cargando…',
  retry: 'Reintentar',
  all: 'Todos',
  noValue: '—',
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'No se pudo copiar. Está seleccionado: cópialo con tu teclado.',
  rowsOf: (first: number, last: number, total: number) => `${first} a ${last} de ${total}`,
  pages: 'Páginas',
  newer: 'Más nuevos',
  older: 'Más antiguos',
  statuses: {
    PENDING: 'Pendiente',
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmado',
    DECLINED: 'Rechazado',
    CANCELED: 'Cancelado',
    COMPLETED: 'Pagado',
    EXPIRED: 'Vencido',
    WAITING: 'En espera',
    DELIVERED: 'Entregado',
    LOST: 'Perdido',
    GIVEN_UP: 'Abandonado',
    SENDING: 'Enviando',
    UNCLEAR: 'Por aclarar',
    REFUSED: 'No se envió',
    CHARGED_BACK: 'Reversado',
  },
  /** How money comes, and how it goes out. */
  rails: {
    BRE_B: 'Bre-B',
    PSE: 'PSE',
    PAYMENT_LINK: 'Enlace de pago',
    REFUND: 'Devolución',
    PAYOUT: 'Pago enviado',
    CHARGEBACK: 'Contracargo',
  } as Dictionary,
};
export type CommonWords = typeof es;

const en: CommonWords = {
  otherLanguage: 'Español',
  skip: 'Skip to content',
  navigation: 'Sections',
  live: 'Live',
  loading: 'Loading…',
  retry: 'Try again',
  all: 'All',
  noValue: '—',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'It could not be copied. It is selected: copy it with your keyboard.',
  rowsOf: (first, last, total) => `${first} to ${last} of ${total}`,
  pages: 'Pages',
  newer: 'Newer',
  older: 'Older',
  statuses: {
    PENDING: 'Pending',
    PROCESSING: 'Processing',
    CONFIRMED: 'Confirmed',
    DECLINED: 'Declined',
    CANCELED: 'Canceled',
    COMPLETED: 'Paid',
    EXPIRED: 'Expired',
    WAITING: 'Waiting',
    DELIVERED: 'Delivered',
    LOST: 'Lost',
    GIVEN_UP: 'Given up',
    SENDING: 'Sending',
    UNCLEAR: 'Unclear',
    REFUSED: 'Not sent',
    CHARGED_BACK: 'Charged back',
  },
  rails: {
    BRE_B: 'Bre-B',
    PSE: 'PSE',
    PAYMENT_LINK: 'Payment link',
    REFUND: 'Refund',
    PAYOUT: 'Payout',
    CHARGEBACK: 'Chargeback',
  },
};

export const COMMON_WORDS: Readonly<Record<Language, CommonWords>> = { es, en };
