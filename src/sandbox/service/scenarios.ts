/**
 * Everything that can happen on command: how a payment ends, and what goes wrong on the way. A scenario is on for all,
 * for the next few creations, or for one resource; its name is the same in the API, on the control page, on the
 * command line and in the simulator.
 */
export const SCENARIOS = {
  confirmed: {
    es: 'El pago se confirma solo, unos segundos después de creado.',
    en: 'The payment is confirmed by itself, seconds after its creation.',
  },
  declined: {
    es: 'El banco rechaza el pago, unos segundos después de creado.',
    en: 'The bank declines the payment, seconds after its creation.',
  },
  canceled: {
    es: 'El pago se cancela, unos segundos después de creado.',
    en: 'The payment is canceled, seconds after its creation.',
  },
  pending: {
    es: 'Nada se decide solo: el pago queda en proceso hasta que alguien decida.',
    en: 'Nothing is decided by itself: the payment stays open until you decide.',
  },
  expired: {
    es: 'Nadie paga: el enlace vence unos segundos después de creado.',
    en: 'Nobody pays: a link expires seconds after its creation.',
  },
  'slow-answers': {
    es: 'La API responde varios segundos tarde.',
    en: 'The API answers seconds late.',
  },
  'error-before-work': {
    es: 'La creación responde 503 y no se crea nada.',
    en: 'A creation answers 503 and nothing was created.',
  },
  'error-after-work': {
    es: 'La creación responde 500 aunque sí se creó.',
    en: 'A creation answers 500 although it was done.',
  },
  'timeout-after-work': {
    es: 'La creación se hace, pero la respuesta no llega.',
    en: 'A creation is done but its answer never comes.',
  },
  'webhooks-slow': {
    es: 'Los eventos llegan con mucho retraso.',
    en: 'Events arrive very late.',
  },
  'webhooks-lost': {
    es: 'Los eventos nunca se envían.',
    en: 'Events are never sent.',
  },
  'webhooks-duplicated': {
    es: 'Cada evento llega dos veces.',
    en: 'Each event arrives twice.',
  },
  'webhooks-reordered': {
    es: 'Los eventos de un mismo pago llegan en desorden.',
    en: 'The events of one payment arrive out of order.',
  },
  'webhooks-forged': {
    es: 'Llega un evento falso de pago confirmado, con un encabezado incorrecto.',
    en: 'A false confirmation arrives, with a wrong header.',
  },
  'webhooks-forged-with-secret': {
    es: 'Llega un evento falso de pago confirmado, con el encabezado correcto (secreto filtrado).',
    en: 'A false confirmation arrives with the right header (a leaked secret).',
  },
  underpaid: {
    es: 'Se confirma un valor menor que el pedido.',
    en: 'Less than the asked amount is confirmed.',
  },
  overpaid: {
    es: 'Se confirma un valor mayor que el pedido.',
    en: 'More than the asked amount is confirmed.',
  },
  'late-confirmation': {
    es: 'El pago se confirma mucho después de creado.',
    en: 'The payment is confirmed long after its creation.',
  },
  'other-amounts-refused': {
    es: 'Un pago por otro valor que el pedido se rechaza.',
    en: 'A payment of another amount than the asked one is declined.',
  },
  'late-payments-refused': {
    es: 'Un pago que llega después de vencido su enlace se rechaza.',
    en: 'A payment that comes after its link expired is declined.',
  },
  'declined-then-confirmed': {
    es: 'El pago se rechaza y luego se confirma.',
    en: 'The payment is declined and then confirmed.',
  },
  'lagging-reads': {
    es: 'Las consultas y listas muestran un estado anterior.',
    en: 'Reads and lists show an earlier state.',
  },
  'repeated-references': {
    es: 'Se aceptan referencias repetidas.',
    en: 'Repeated references are accepted.',
  },
  'amount-in-cents-omitted': {
    es: 'Las respuestas no traen amountInCents.',
    en: 'Answers leave amountInCents out.',
  },
  'amount-as-cents': {
    es: 'El campo amount viene en centavos en vez de pesos.',
    en: 'The amount field carries cents instead of pesos.',
  },
  'pse-url-never-set': {
    es: 'La dirección del banco (pseUrl) nunca aparece.',
    en: "The bank's address (pseUrl) never appears.",
  },
  'renamed-statuses': {
    es: 'Los estados finales llevan otros nombres (APPROVED, REJECTED, CANCELLED).',
    en: 'Final statuses carry other names (APPROVED, REJECTED, CANCELLED).',
  },
  chargeback: {
    es: 'El pago confirmado se reversa poco después (contracargo).',
    en: 'The confirmed payment is charged back soon after.',
  },
} as const satisfies Record<string, { readonly es: string; readonly en: string }>;

/** Scenarios that decide how a payment ends: without a click, and whatever its document says. */
export const OUTCOME_SCENARIOS = {
  confirmed: 'CONFIRMED',
  declined: 'DECLINED',
  canceled: 'CANCELED',
  pending: null,
  expired: null,
} as const satisfies Partial<Record<ScenarioName, 'CONFIRMED' | 'DECLINED' | 'CANCELED' | null>>;

export type ScenarioName = keyof typeof SCENARIOS;

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as [ScenarioName, ...ScenarioName[]];

export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(SCENARIOS, name);
}
