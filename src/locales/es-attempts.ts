import { es } from './es.js';
import type { Messages } from './messages.js';

/** The Spanish of what can become of a payment on any rail. */
export const esAttempts = {
  trouble: 'Nos está costando consultar tu pago. Seguimos intentando; no pagues otra vez.',
  amountChanged: (amount) => `El valor cambió. Ahora es ${amount}.`,
  creatingSlow: 'Está tardando más de lo normal. Quédate aquí: seguimos esperando.',
  alreadyPaid: 'Ya pagué',
  checking: 'Consultando…',
  doNotPayTwice: 'Si ya pagaste, no pagues otra vez: seguimos consultando ese pago.',
  earlierWatched: 'También seguimos pendientes de tu pago anterior.',
  inProgress: 'Ya tienes un pago en curso para este pedido.',
  lapseChecking: 'Verificando si tu pago llegó…',
  lapsedTitle: 'La llave venció',
  lapsedLead: 'No la uses más. Si ya pagaste, espera: te avisamos aquí. Si no, pide otra llave.',
  confirmedTitle: 'Pago aprobado',
  confirmedLead: (merchant) => `${merchant} ya recibió tu pago. Guarda este comprobante.`,
  lateLead: (merchant) => `Tu pago llegó después de lo esperado y ${merchant} ya lo recibió.`,
  differsTitle: 'Recibimos otro valor',
  differsLead: (received, asked) =>
    `Llegaron ${received} y el pedido es de ${asked}. El comercio ya lo sabe; comunícate para resolverlo.`,
  duplicateTitle: 'Este pedido se pagó dos veces',
  duplicateLead: (merchant) =>
    `Recibimos más de un pago. ${merchant} ya lo sabe; comunícate para la devolución.`,
  paidByOther: 'El pedido quedó pago con tu intento anterior.',
  declinedTitle: 'Pago rechazado',
  canceledTitle: 'Pago cancelado',
  canceledLead: 'No se hizo ningún cobro. Puedes intentar de nuevo.',
  reasons: {
    declined: 'Tu banco no aprobó el pago. Puedes intentar de nuevo o usar otro medio.',
    bank_unavailable:
      'La entidad financiera no puede ser contactada para iniciar la transacción, por favor seleccione otra o intente más tarde',
    limit_exceeded:
      'El monto de la transacción excede los límites establecidos en PSE para la empresa, por favor comuníquese con el comercio',
    service_refused: es.errors.refused,
  },
  receipt: 'Comprobante',
  receiptState: 'Estado',
  states: { APPROVED: 'Aprobada', REJECTED: 'Rechazada', PENDING: 'Pendiente', FAILED: 'Fallida' },
  receiptAmount: 'Valor',
  receiptAsked: 'Valor del pedido',
  receiptMethod: 'Medio',
  receiptBank: 'Banco',
  receiptReference: 'Referencia',
  receiptCus: 'CUS',
  receiptDate: 'Fecha',
  receiptMerchant: 'Comercio',
  receiptDescription: 'Descripción',
  taxId: (taxId) => `NIT ${taxId}`,
  print: 'Imprimir',
  tryAgain: 'Intentar de nuevo',
} satisfies Partial<Messages>;
