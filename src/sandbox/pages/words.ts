import { bilingual, type Language, LANGUAGES } from '../../look/bilingual.js';
import { COMMON_TEXTS } from '../../look/words.js';

/** What the pages say to a payer, and the simulator's panel with them. */

export const WORDS = bilingual({
  otherLanguage: COMMON_TEXTS.otherLanguage,
  copy: COMMON_TEXTS.copy,
  copied: COMMON_TEXTS.copied,
  copyFailed: ['Cópialo a mano', 'Copy it by hand'],
  badAmount: [
    'Escribe un valor en pesos, como 120000 o 120000,50.',
    'Write an amount in pesos, such as 120000 or 120000,50.',
  ],
  testStrip: ['Ambiente de pruebas:', 'Test environment:'],
  testStripMore: ['ninguna cuenta real, ningún dinero se mueve.', 'no real account, no money moves.'],
  sandbox: ['Sandbox de pay-checkout', 'pay-checkout sandbox'],
  controlPage: ['Panel de control', 'Control page'],
  amount: ['Valor', 'Amount'],
  reference: ['Referencia', 'Reference'],
  status: ['Estado', 'Status'],
  bank: ['Banco', 'Bank'],
  date: ['Fecha', 'Date'],
  method: ['Medio', 'Method'],
  confirmedAmount: ['Valor recibido', 'Amount received'],

  bankName: ['Banco de pruebas', 'Test bank'],
  bankPlays: (bank: string) => [`En lugar de ${bank}`, `In place of ${bank}`],
  bankTitle: ['Autoriza el pago', 'Authorise the payment'],
  bankLead: [
    'Aquí tu banco te pediría la clave. En pruebas, tú decides qué responde.',
    'Your bank would ask for your password here. In tests, you decide what it answers.',
  ],
  bankApprove: ['Aprobar', 'Approve'],
  bankApproveWhat: [
    'El banco debita y el pago queda confirmado.',
    'The bank debits and the payment is confirmed.',
  ],
  bankReject: ['Rechazar', 'Reject'],
  bankRejectWhat: [
    'El banco no autoriza: fondos insuficientes.',
    'The bank does not authorise: insufficient funds.',
  ],
  bankPending: ['Dejar pendiente', 'Leave pending'],
  bankPendingWhat: [
    'Vuelves al comercio y el banco sigue sin responder.',
    'You return to the shop and the bank has not answered yet.',
  ],
  bankCancel: ['Cancelar', 'Cancel'],
  bankCancelWhat: ['Te arrepientes antes de autorizar.', 'You change your mind before authorising.'],
  bankBack: ['Solo volver', 'Just go back'],
  bankBackWhat: ['Como el botón “atrás”: no cambia nada.', 'Like the “back” button: nothing changes.'],
  backToShop: ['Volver al comercio', 'Back to the shop'],

  payTitle: ['Paga desde la app de tu banco', "Pay from your bank's app"],
  payLead: ['Copia la llave y el valor, o escanea el QR.', 'Copy the key and the amount, or scan the QR.'],
  payLeadKey: [
    'Copia la llave y el valor, y pégalos en tu app.',
    'Copy the key and the amount into your app.',
  ],
  key: ['Llave Bre-B', 'Bre-B key'],
  exactAmount: ['Valor exacto', 'Exact amount'],
  qrAlt: ['Código QR de Bre-B para este pago', 'Bre-B QR code of this payment'],
  exactNotice: (amount: string) => [
    `Envía exactamente ${amount}. Con otro valor el pago puede no llegar.`,
    `Send exactly ${amount}. With another amount the payment may not arrive.`,
  ],
  simulate: ['Simula tu app', 'Simulate your app'],
  payExact: (amount: string) => [`Pagar ${amount}`, `Pay ${amount}`],
  payExactWhat: ['Desde mi app (simulado), el valor exacto.', 'From my app (simulated), the exact amount.'],
  payOther: ['Pagar otro valor, en pesos', 'Pay another amount, in pesos'],
  payOtherButton: ['Pagar', 'Pay'],
  payReject: ['Rechazar', 'Reject'],
  payRejectWhat: [
    'La app de tu banco no deja hacer el pago.',
    "Your bank's app does not let the payment through.",
  ],
  payCancel: ['Cancelar', 'Cancel'],
  payCancelWhat: ['La llave deja de servir.', 'The key stops working.'],
  payPending: ['Dejar pendiente', 'Leave pending'],
  payPendingWhat: [
    'Vuelves al comercio sin que llegue respuesta.',
    'You return to the shop before any answer.',
  ],
  waiting: ['Esperando tu pago', 'Waiting for your payment'],
  waitingMore: ['Esta página se actualiza sola.', 'This page updates by itself.'],
  neverPassword: ['Nunca te pediremos tu clave.', 'We will never ask for your password.'],

  linkTitle: ['¿Cómo quieres pagar?', 'How do you want to pay?'],
  linkOnly: ['Paga con', 'Pay with'],
  railQr: ['QR Bre-B', 'Bre-B QR'],
  railQrWhat: [
    'Escanéalo con la app de cualquier banco o billetera.',
    'Scan it with the app of any bank or wallet.',
  ],
  railKey: ['Llave Bre-B', 'Bre-B key'],
  railKeyWhat: [
    'Copia la llave y págala desde tu app, sin QR.',
    'Copy the key and pay it from your app, without a QR.',
  ],
  railPse: ['PSE', 'PSE'],
  railPseWhat: [
    'Débito bancario desde tu cuenta de ahorros o corriente.',
    'Bank debit from your savings or checking account.',
  ],
  chooseBank: ['Elige tu banco', 'Choose your bank'],
  bankMissing: ['Elige el banco desde el que vas a pagar.', 'Choose the bank you will pay from.'],
  railMissing: ['Elige cómo quieres pagar.', 'Choose how you want to pay.'],
  yourData: ['Tus datos', 'Your details'],
  fullName: ['Nombre completo', 'Full name'],
  idType: ['Documento', 'Document'],
  idNumber: ['Número', 'Number'],
  phone: ['Celular', 'Mobile'],
  email: ['Correo electrónico', 'E-mail'],
  idTypes: {
    CO_CC: ['C.C.', 'C.C.'],
    CO_CE: ['C.E.', 'C.E.'],
    CO_NIT: ['NIT', 'NIT'],
    PASSPORT: ['Pasaporte', 'Passport'],
    MXN_RFC: ['RFC', 'RFC'],
  },
  badField: ['Revisa este dato.', 'Check this field.'],
  continue: ['Continuar', 'Continue'],
  leave: ['Volver sin pagar', 'Go back without paying'],
  linkStarted: ['Ya empezaste un pago con este enlace.', 'You already started a payment with this link.'],
  linkGoOn: ['Seguir con ese pago', 'Go on with it'],
  linkExpires: (time: string) => [`Este enlace vence a las ${time}`, `This link expires at ${time}`],

  outcomes: {
    ...COMMON_TEXTS.statuses,
    CONFIRMED: ['Aprobado', 'Approved'],
    DECLINED: ['Rechazado', 'Rejected'],
  },
  resultTitle: {
    open: ['Tu banco está confirmando el pago', 'Your bank is confirming the payment'],
    CONFIRMED: ['Pago aprobado', 'Payment approved'],
    DECLINED: ['Pago rechazado', 'Payment rejected'],
    CANCELED: ['Pago cancelado', 'Payment canceled'],
    COMPLETED: ['Este enlace ya está pagado', 'This link is already paid'],
    EXPIRED: ['Este enlace venció', 'This link has expired'],
  },
  resultLead: {
    open: ['Puede tardar unos minutos. No pagues otra vez.', 'It can take a few minutes. Do not pay again.'],
    CONFIRMED: ['El comercio ya puede ver tu pago.', 'The shop can see your payment now.'],
    DECLINED: [
      'No se movió dinero. Puedes intentarlo de nuevo desde el comercio.',
      'No money moved. You can try again from the shop.',
    ],
    CANCELED: [
      'No se movió dinero. Puedes empezar de nuevo desde el comercio.',
      'No money moved. You can start again from the shop.',
    ],
    COMPLETED: ['No hace falta que hagas nada más.', 'There is nothing else to do.'],
    EXPIRED: [
      'Pide un enlace nuevo al comercio: este ya no recibe pagos.',
      'Ask the shop for a new link: this one takes no payments.',
    ],
  },
  noReturn: ['Ya puedes cerrar esta página.', 'You can close this page.'],
  badReturn: [
    'La dirección de regreso del comercio no es una dirección web, así que no te enviamos a ella.',
    "The shop's return address is not a web address, so we did not send you there.",
  ],

  missingTitle: ['No encontramos este pago', 'We cannot find this payment'],
  missingLead: [
    'La dirección está incompleta o el sandbox se reinició desde que se creó.',
    'The address is incomplete, or the sandbox was restarted since it was created.',
  ],
  foreignTitle: ['Este formulario no salió de esta página', 'This form did not come from this page'],
  foreignLead: [
    'Por seguridad no lo tuvimos en cuenta. Vuelve a abrir la página e inténtalo de nuevo.',
    'To be safe we did not act on it. Open the page again and retry.',
  ],
  noControlTitle: ['Este sandbox no tiene panel de control', 'This sandbox has no control page'],
  noControlLead: [
    'Lo tiene npx pay-checkout sandbox. En tu propio servidor, dale a createSandbox la opción controlPage.',
    'npx pay-checkout sandbox has it. In a server of your own, give createSandbox the option controlPage.',
  ],
});
export type Words = (typeof WORDS)['es'];

/** `?lang=` first, then the browser's first preference that we speak, then Spanish. */
export function languageOf(request: Request): Language {
  const asked = new URL(request.url).searchParams.get('lang');
  const accepted = (request.headers.get('accept-language') ?? '').slice(0, 256).toLowerCase();
  const candidates = [asked ?? '', ...accepted.split(',')].map((tag) => tag.trim().slice(0, 2));
  return candidates.map((tag) => LANGUAGES.find((language) => language === tag)).find(Boolean) ?? 'es';
}
