/** What all pages say alike, in both languages; the simulator's panel too. Spanish is the original. */

export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

const es = {
  otherLanguage: 'English',
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'Cópialo a mano',
  badAmount: 'Escribe un valor en pesos, como 120000 o 120000,50.',
  statuses: {
    PENDING: 'Pendiente',
    PROCESSING: 'En proceso',
    CONFIRMED: 'Confirmado',
    DECLINED: 'Rechazado',
    CANCELED: 'Cancelado',
    COMPLETED: 'Pagado',
    EXPIRED: 'Vencido',
  },
};

const en: typeof es = {
  otherLanguage: 'Español',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copy it by hand',
  badAmount: 'Write an amount in pesos, such as 120000 or 120000,50.',
  statuses: {
    PENDING: 'Pending',
    PROCESSING: 'Processing',
    CONFIRMED: 'Confirmed',
    DECLINED: 'Declined',
    CANCELED: 'Canceled',
    COMPLETED: 'Paid',
    EXPIRED: 'Expired',
  },
};

export const SHARED_WORDS: Readonly<Record<Language, typeof es>> = { es, en };

/** `?lang=` first, then the browser's first preference that we speak, then Spanish. */
export function languageOf(request: Request): Language {
  const asked = new URL(request.url).searchParams.get('lang');
  const accepted = (request.headers.get('accept-language') ?? '').slice(0, 256).toLowerCase();
  const candidates = [asked ?? '', ...accepted.split(',')].map((tag) => tag.trim().slice(0, 2));
  return candidates.map((tag) => LANGUAGES.find((language) => language === tag)).find(Boolean) ?? 'es';
}
