/** Before an open payment is left. */
export const esModal = {
  leaveTitle: '¿Cerrar el pago?',
  leaveLead: 'Tu pago sigue abierto y lo seguiremos consultando. Puedes volver cuando quieras.',
  leaveStay: 'Seguir aquí',
  leaveClose: 'Cerrar',
};
