import type { Messages } from './messages.js';

/** The Spanish of leaving a dialog. */
export const esModal = {
  leaveTitle: '¿Cerrar el pago?',
  leaveLead: 'Tu pago sigue abierto y lo seguiremos consultando. Puedes volver cuando quieras.',
  leaveStay: 'Seguir aquí',
  leaveClose: 'Cerrar',
} satisfies Partial<Messages>;
