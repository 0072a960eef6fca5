/** Colombian Spanish once a method is chosen. The sentences in usted are PSE’s own, which a merchant must show as they are. */
export const esPaying = {
  offlinePaying: 'Sin conexión. Seguiremos apenas vuelva; puedes pagar con la llave mientras tanto.',
  trouble: 'Nos está costando consultar tu pago. Seguimos intentando; no pagues otra vez.',
  amountChanged: (amount: string) => `El valor cambió. Ahora es ${amount}.`,

  /** Bre-B refused the payment; PSE has sentences of its own. */
  brebRefused: 'No pudimos pedir este pago por Bre-B.',
  unsafeAddress: 'La dirección del banco no es segura y no la abrimos.',
  otherMethod: 'Pagar de otra forma',
  /** After what did not work this time. */
  payAgain: (others: boolean) => `Puedes intentar de nuevo${others ? ' o usar otro medio' : ''}.`,

  errorSummary: (count: number) => (count === 1 ? 'Revisa 1 campo.' : `Revisa ${count} campos.`),

  /** A create that is not answered after some seconds. */
  creatingSlow: 'Está tardando más de lo normal. Quédate aquí: seguimos esperando.',
  stalledTitle: 'Tu banco no responde',
  stalledBrebTitle: 'La llave está tardando',

  alreadyPaid: 'Ya pagué',
  checking: 'Consultando…',
  notYet: 'Aún no nos llega. Suele tardar segundos, a veces hasta 3 minutos. Seguimos pendientes.',
  doNotPayTwice: 'Si ya pagaste, no pagues otra vez: seguimos consultando ese pago.',
  /** The same where a bank may still have the payment. */
  onlyIfNotAuthorised:
    'Sigue solo si no autorizaste el pago en tu banco. Si lo autorizaste, vuelve atrás: no pagues otra vez.',
  /** In a tab whose key is no longer the one to pay. */
  replacedElsewhere: 'Pediste otra llave en otra pestaña. Ya no uses esta.',
  earlierWatched: 'También seguimos pendientes de tu pago anterior.',
  inProgress: 'Ya tienes un pago en curso para este pedido.',

  lapseChecking: 'Verificando si tu pago llegó…',

  stillPending: 'Sigue pendiente. Volveremos a consultar solos.',
  /** Declares it, on the way to another method. */
  notAuthorisedOther: 'No autoricé: usar otro medio',

  confirmedTitle: 'Pago aprobado',
  confirmedLead: (merchant: string) => `${merchant} ya recibió tu pago. Guarda este comprobante.`,
  lateLead: (merchant: string) => `Tu pago llegó después de lo esperado y ${merchant} ya lo recibió.`,
  differsTitle: 'Recibimos otro valor',
  differsLead: (received: string, asked: string) =>
    `Llegaron ${received} y el pedido es de ${asked}. El comercio ya lo sabe; comunícate para resolverlo.`,
  /** Too little, where the rest can be paid. */
  differsLess: (received: string, asked: string, rest: string) =>
    `Llegaron ${received} y el pedido es de ${asked}. Puedes pagar ahora los ${rest} que faltan.`,
  differsMore: (received: string, asked: string, excess: string, merchant: string) =>
    `Llegaron ${received} y el pedido es de ${asked}. ${merchant} ya lo sabe; comunícate para la devolución de ${excess}.`,
  payRest: (rest: string) => `Pagar ${rest}`,
  /** On the way to paying the rest. */
  payingRest: (received: string) => `Ya recibimos ${received}. Este pago es por lo que falta.`,
  duplicateTitle: 'Este pedido se pagó dos veces',
  duplicateLead: (merchant: string) =>
    `Recibimos más de un pago. ${merchant} ya lo sabe; comunícate para la devolución con este comprobante.`,
  paymentsTotal: 'Total recibido',
  paymentsMissing: 'Falta',
  paymentsExcess: 'Sobra',
  paidByOther: 'El pedido quedó pago con tu intento anterior.',
  declinedTitle: 'Pago rechazado',
  canceledTitle: 'Pago cancelado',
  /** The payment was never started, so no bank has declined it. */
  notStartedTitle: 'No pudimos iniciar tu pago',
  notStartedLead: (method: string) =>
    `El servicio de pagos no respondió y no alcanzamos a pedir tu pago con ${method}. No se cobró nada.`,
  canceledLead: 'No se hizo ningún cobro. Puedes intentar de nuevo.',
  reasons: {
    declined: 'Tu banco no aprobó el pago.',
    bank_unavailable:
      'La entidad financiera no puede ser contactada para iniciar la transacción, por favor seleccione otra o intente más tarde',
    limit_exceeded:
      'El monto de la transacción excede los límites establecidos en PSE para la empresa, por favor comuníquese con el comercio',
    service_refused:
      'No se pudo crear la transacción, por favor intente más tarde o comuníquese con la empresa',
  },
  receipt: 'Comprobante',
  receiptState: 'Estado',
  states: {
    APPROVED: 'Aprobada',
    DIFFERS: 'Aprobada por otro valor',
    TWICE: 'Aprobada, con más de un pago',
    REJECTED: 'Rechazada',
    PENDING: 'Pendiente',
    CANCELED: 'Cancelada',
  },
  receiptAmount: 'Valor',
  receiptAsked: 'Valor del pedido',
  receiptMethod: 'Medio',
  receiptBank: 'Banco',
  receiptReference: 'Referencia',
  receiptCus: 'CUS',
  receiptDate: 'Fecha',
  receiptMerchant: 'Comercio',
  /** Opens the rest of the receipt. */
  receiptMore: 'Ver todos los datos',
  receiptDescription: 'Descripción',
  taxId: (taxId: string) => `NIT ${taxId}`,
  print: 'Imprimir',
  saveReceipt: 'Guardar imagen',
  shareReceipt: 'Compartir',
  receiptSaved: 'Comprobante guardado',
  receiptSaveFailed: 'No pudimos guardar el comprobante. Toma una captura de pantalla.',
  tryAgain: 'Intentar de nuevo',
};
