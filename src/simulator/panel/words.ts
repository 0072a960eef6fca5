import { bilingual, type Language } from '../../look/bilingual.js';
import { COMMON_WORDS } from '../../look/words.js';
import { WORDS } from '../../sandbox/pages/words.js';

/** The panel's own words, beside those of the sandbox's pages, which it shows in its own way. */

const OWN = bilingual({
  badge: ['Simulador: no se mueve dinero', 'Simulator: no money moves'],
  nothing: [
    'Todavía no hay ningún pago. Elige un medio en el checkout.',
    'There is no payment yet. Choose a method in the checkout.',
  ],
  kinds: {
    BRE_B: ['Cobro Bre-B', 'Bre-B payin'],
    PSE: ['Cobro PSE', 'PSE payin'],
    LINK: ['Enlace de pago', 'Payment link'],
  },
  paidOf: (paid: string, asked: string) => [`${paid} de ${asked}`, `${paid} of ${asked}`],
  actions: ['Qué pasa con este pago', 'What happens to this payment'],
  confirm: ['Confirmar', 'Confirm'],
  decline: ['Rechazar', 'Decline'],
  cancel: ['Cancelar', 'Cancel'],
  openLink: ['Abrir el enlace', 'Open the link'],
  close: ['Cerrar', 'Close'],
  underpay: ['Pagar de menos', 'Underpay'],
  overpay: ['Pagar de más', 'Overpay'],
  expire: ['Vencer', 'Expire'],
  conditions: ['Condiciones', 'Conditions'],
  offline: ['Sin red', 'No network'],
  offlineHint: ['Cada llamada falla.', 'Every call fails.'],
  slow: ['Respuestas lentas', 'Slow answers'],
  slowHint: ['El servicio tarda 4 segundos.', 'The service takes 4 seconds.'],
  skipMinute: ['Avanzar 1 min', 'Skip 1 min'],
  skipQuarter: ['Avanzar 15 min', 'Skip 15 min'],
  scenario: ['Escenario para los próximos pagos', 'Scenario for the next payments'],
  noScenario: ['Ninguno: decides con los botones', 'None: you decide with the buttons'],
  noScenarioHint: ['Nada se decide solo.', 'Nothing is decided by itself.'],
  hostedTitle: ['Página de pago del servicio', "The service's payment page"],
});

const wordsOf = (language: Language) => ({
  language,
  ...OWN[language],
  statuses: COMMON_WORDS[language].statuses,
  payer: WORDS[language],
});

export type PanelWords = ReturnType<typeof wordsOf>;

export function panelWords(language: string): PanelWords {
  return wordsOf(/^en\b/i.test(language) ? 'en' : 'es');
}
