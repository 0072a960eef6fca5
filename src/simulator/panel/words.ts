import { COMMON_WORDS, type Language } from '../../look/words.js';
import { wordsIn } from '../../sandbox/pages/words.js';

/** The panel's own words, beside those of the sandbox's pages, which it shows in its own way. */

const es = {
  badge: 'Simulador: no se mueve dinero',
  nothing: 'Todavía no hay ningún pago. Elige un medio en el checkout.',
  kinds: { BRE_B: 'Cobro Bre-B', PSE: 'Cobro PSE', LINK: 'Enlace de pago' },
  paidOf: (paid: string, asked: string) => `${paid} de ${asked}`,
  actions: 'Qué pasa con este pago',
  confirm: 'Confirmar',
  decline: 'Rechazar',
  cancel: 'Cancelar',
  openLink: 'Abrir el enlace',
  close: 'Cerrar',
  underpay: 'Pagar de menos',
  overpay: 'Pagar de más',
  expire: 'Vencer',
  conditions: 'Condiciones',
  offline: 'Sin red',
  offlineHint: 'Cada llamada falla.',
  slow: 'Respuestas lentas',
  slowHint: 'El servicio tarda 4 segundos.',
  skipMinute: 'Avanzar 1 min',
  skipQuarter: 'Avanzar 15 min',
  scenario: 'Escenario para los próximos pagos',
  noScenario: 'Ninguno: decides con los botones',
  noScenarioHint: 'Nada se decide solo.',
  hostedTitle: 'Página de pago del servicio',
};

const en: typeof es = {
  badge: 'Simulator: no money moves',
  nothing: 'There is no payment yet. Choose a method in the checkout.',
  kinds: { BRE_B: 'Bre-B payin', PSE: 'PSE payin', LINK: 'Payment link' },
  paidOf: (paid, asked) => `${paid} of ${asked}`,
  actions: 'What happens to this payment',
  confirm: 'Confirm',
  decline: 'Decline',
  cancel: 'Cancel',
  openLink: 'Open the link',
  close: 'Close',
  underpay: 'Underpay',
  overpay: 'Overpay',
  expire: 'Expire',
  conditions: 'Conditions',
  offline: 'No network',
  offlineHint: 'Every call fails.',
  slow: 'Slow answers',
  slowHint: 'The service takes 4 seconds.',
  skipMinute: 'Skip 1 min',
  skipQuarter: 'Skip 15 min',
  scenario: 'Scenario for the next payments',
  noScenario: 'None: you decide with the buttons',
  noScenarioHint: 'Nothing is decided by itself.',
  hostedTitle: "The service's payment page",
};

const wordsOf = (language: Language, own: typeof es) => ({
  language,
  ...own,
  statuses: COMMON_WORDS[language].statuses,
  payer: wordsIn(language),
});

export type PanelWords = ReturnType<typeof wordsOf>;

const WORDS = { es: wordsOf('es', es), en: wordsOf('en', en) };

export function panelWords(language: string): PanelWords {
  return /^en\b/i.test(language) ? WORDS.en : WORDS.es;
}
