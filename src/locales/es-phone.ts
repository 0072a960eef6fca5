import type { Messages } from './messages.js';

/** The Spanish of going on with the phone. */
export const esPhone = {
  phoneFailed: 'No pudimos dibujar este código. Usa la llave o el QR de arriba.',
  phoneLead: 'Escanea con la cámara para abrir este pago en tu celular.',
  phoneQrAlt: 'Código QR para abrir este pago en tu celular',
} satisfies Partial<Messages>;
