/** Spanish, or English with `?lang=en`. */
export const language = new URLSearchParams(location.search).get('lang') === 'en' ? 'en' : 'es';

const WORDS = {
  es: {
    pay: 'Pagar',
    copied: 'Copiado',
    selected: 'Seleccionado: cópialo',
    waiting: 'esperando…',
    unneeded: 'ya no hacía falta',
    unanswered: 'sin respuesta',
    methods: 'medios',
    token: 'lo que devuelve checkout.orderToken(id) en tu servidor',
    point: ',',
    button: 'Botón',
    text: 'Texto',
    unreadable: 'No se lee bien: WCAG pide 4,5:1',
  },
  en: {
    pay: 'Pay',
    copied: 'Copied',
    selected: 'Selected: copy it',
    waiting: 'waiting…',
    unneeded: 'no longer needed',
    unanswered: 'no answer',
    methods: 'methods',
    token: 'what checkout.orderToken(id) gives on your server',
    point: '.',
    button: 'Button',
    text: 'Text',
    unreadable: 'Hard to read: WCAG asks for 4.5:1',
  },
} as const;

export const words = WORDS[language];

/** The page is written in Spanish and carries its English. */
export function translatePage(): void {
  if (language === 'es') return;
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll<HTMLElement>('[data-en]'))
    element.textContent = element.dataset['en'] ?? '';
  for (const element of document.querySelectorAll<HTMLElement>('[data-en-label]'))
    element.ariaLabel = element.dataset['enLabel'] ?? '';
  for (const link of document.querySelectorAll<HTMLAnchorElement>('header a')) link.search = '?lang=en';
}
