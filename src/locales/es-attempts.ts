import type { Messages } from './messages.js';

/** The Spanish of everything that can become of a payment. */
export const esAttempts = {
  offlinePaying: 'Sin conexión. Seguiremos apenas vuelva; puedes pagar con la llave mientras tanto.',
  trouble: 'Nos está costando consultar tu pago. Seguimos intentando; no pagues otra vez.',
  amountChanged: (amount) => `El valor cambió. Ahora es ${amount}.`,
  preparingTitle: 'Preparando tu pago',
  preparingLead: 'Estamos conectando con tu banco. Tarda unos segundos.',
  stalledTitle: 'Tu banco no responde',
  stalledLead:
    'La entidad financiera no puede ser contactada para iniciar la transacción, por favor seleccione otra o intente más tarde. Aún no se ha cobrado nada.',
  stalledBrebTitle: 'La llave está tardando',
  stalledBrebLead: 'Aún no nos la entregan. Espera un momento, reintenta o paga de otra forma.',
  redirectingTitle: (bank) => `Te llevamos a ${bank}`,
  redirectingLead: 'Autoriza el pago allá. Al terminar volverás a esta página.',
  redirectLink: 'Ir a mi banco ahora',
  unsafeAddress: 'La dirección del banco no es segura y no la abrimos. Elige otro medio de pago.',
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'No pudimos copiar. El texto quedó seleccionado: mantenlo presionado y elige Copiar.',
  waitingPayment: 'Esperando tu pago',
  alreadyPaid: 'Ya pagué',
  checking: 'Consultando…',
  notYet: 'Aún no nos llega. Suele tardar segundos, a veces hasta 3 minutos. Seguimos pendientes.',
  newKey: 'Pedir otra llave',
  doNotPayTwice: 'Si ya pagaste, no pagues otra vez: seguimos consultando ese pago.',
  earlierWatched: 'También seguimos pendientes de tu pago anterior.',
  inProgress: 'Ya tienes un pago en curso para este pedido.',
  lapseChecking: 'La llave venció. Verificando si tu pago llegó…',
  lapsedTitle: 'La llave venció',
  lapsedLead: 'No la uses más. Si ya pagaste, espera: te avisamos aquí. Si no, pide otra llave.',
  verifyingTitle: 'Verificando tu pago',
  verifyingLead: 'Estamos consultando el resultado con tu banco. No pagues otra vez.',
  pendingTitle: 'Tu banco está confirmando el pago',
  pendingLead: 'Puede tardar unos minutos. Puedes cerrar esta página y volver más tarde: no pagues otra vez.',
  pendingPse: ({ reference, phone, email, cus }) => {
    const contact = [
      phone && `comunicarse a nuestras líneas de atención al cliente ${phone}`,
      email && `enviar un correo electrónico a ${email}`,
    ].filter(Boolean);
    return (
      `En este momento su #${reference} presenta un proceso de pago cuya transacción se encuentra PENDIENTE de recibir confirmación por parte de su entidad financiera, por favor espere unos minutos y vuelva a consultar más tarde para verificar si su pago fue confirmado de forma exitosa.` +
      (contact.length
        ? ` Si desea mayor información sobre el estado actual de su operación puede ${contact.join(' o ')}${cus ? ` y preguntar por el estado de la transacción: ${cus}` : ''}.`
        : '')
    );
  },
  pendingCheckDebit: 'Por favor verificar si el débito fue realizado en el banco',
  checkStatus: 'Consultar estado',
  stillPending: 'Sigue pendiente. Volveremos a consultar solos.',
  continueToBank: 'Continuar en mi banco',
  notAuthorised: 'No autoricé el pago',
  pseLocked: (time) =>
    `Hay un pago PSE en curso. Podrás intentar de nuevo a las ${time}, o antes si no lo autorizaste.`,
  confirmedTitle: 'Pago aprobado',
  confirmedLead: (merchant) => `${merchant} ya recibió tu pago. Guarda este comprobante.`,
  lateLead: (merchant) => `Tu pago llegó después de lo esperado y ${merchant} ya lo recibió.`,
  differsTitle: 'Recibimos otro valor',
  differsLead: (received, asked) =>
    `Llegaron ${received} y el pedido es de ${asked}. El comercio ya lo sabe; comunícate para resolverlo.`,
  duplicateTitle: 'Este pedido se pagó dos veces',
  duplicateLead: (merchant) =>
    `Recibimos más de un pago por el mismo pedido. ${merchant} ya lo sabe; comunícate para la devolución.`,
  paidByOther: 'El pedido quedó pago con tu intento anterior.',
  declinedTitle: 'Pago rechazado',
  canceledTitle: 'Pago cancelado',
  canceledLead: 'No se hizo ningún cobro. Puedes intentar de nuevo cuando quieras.',
  reasons: {
    declined: 'Tu banco no aprobó el pago. Puedes intentar de nuevo o usar otro medio.',
    bank_unavailable:
      'La entidad financiera no puede ser contactada para iniciar la transacción, por favor seleccione otra o intente más tarde',
    limit_exceeded:
      'El monto de la transacción excede los límites establecidos en PSE para la empresa, por favor comuníquese con el comercio',
    service_refused:
      'No se pudo crear la transacción, por favor intente más tarde o comuníquese con la empresa',
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
  leaveTitle: '¿Cerrar el pago?',
  leaveLead: 'Tu pago sigue abierto y lo seguiremos consultando. Puedes volver cuando quieras.',
  leaveStay: 'Seguir aquí',
  leaveClose: 'Cerrar',
  linkExpiredTitle: 'El enlace venció',
  linkExpiredLead: 'Ya no sirve para pagar. Si no has pagado, crea uno nuevo.',
  newLink: 'Crear otro enlace',
} satisfies Partial<Messages>;
