import type { Messages } from './messages.js';

/** The Spanish of the Bre-B screen. */
export const esBreb = {
  brebTitle: 'Paga desde la app de tu banco',
  brebLeadQr: 'Escanea el QR o usa la llave. Te avisamos aquí apenas llegue.',
  brebLeadKey: 'Copia la llave y el valor, y pégalos en tu app. Te avisamos aquí apenas llegue.',
  key: 'Llave Bre-B',
  exactAmount: 'Valor exacto',
  copyKey: 'Copiar llave',
  copyAmount: 'Copiar valor',
  keyCopied: 'Llave copiada',
  amountCopied: 'Valor copiado',
  sendExactly: (amount) => `Envía exactamente ${amount}. Con otro valor el pago puede no llegar.`,
  qrAlt: (amount) => `Código QR Bre-B para pagar ${amount}`,
  saveQr: 'Guardar QR',
  shareQr: 'Compartir QR',
  enlargeQr: 'Ampliar',
  showQr: 'Ver QR',
  qrFailed: 'No pudimos mostrar el QR. La llave funciona igual.',
  qrSaved: 'QR guardado',
  qrSaveFailed: 'No pudimos guardar el QR. Toma una captura de pantalla.',
  phoneTitle: 'Continúa en tu celular',
  phoneFailed: 'No pudimos dibujar este código. Usa la llave o el QR de arriba.',
  phoneLead: 'Escanea con la cámara para abrir este pago en tu celular.',
  phoneQrAlt: 'Código QR para abrir este pago en tu celular',
  steps: 'Cómo pagar',
  stepOpen: 'Abre la app de tu banco y entra a Bre-B, Tus llaves o Pagos inmediatos.',
  stepPay: 'Escanea el código, o pega la llave y el valor.',
  stepPayKey: 'Pega la llave y escribe el valor exacto.',
  stepConfirm: (payee) =>
    payee ? `Revisa que el nombre sea ${payee} y confirma.` : 'Revisa el nombre de quien recibe y confirma.',
  expiresIn: (time) => `La llave vence en ${time}`,
  expiresSoon: (minutes) =>
    minutes === 1 ? 'La llave vence en 1 minuto' : `La llave vence en ${minutes} minutos`,
} satisfies Partial<Messages>;
