import type { CustomerField } from '../../contract/offer.js';

/** Colombian Spanish until there is a payment, and when none can be made: tú, short sentences that say what happens next. */
export const esOpening = {
  /** The BCP 47 tag these words are written in; numbers and dates follow it. */
  locale: 'es-CO',

  loading: 'Cargando tu pago…',
  back: 'Atrás',
  retry: 'Reintentar',
  close: 'Cerrar',
  total: 'Total',
  /** Who is paid, where the page does not say. */
  theMerchant: 'El comercio',
  checkoutLabel: (merchant: string) => `Pago a ${merchant}`,
  neverAskPassword: 'Nunca te pediremos tu clave.',
  helpTitle: '¿Necesitas ayuda?',
  helpReference: (reference: string) => `Menciona la referencia ${reference}.`,
  offline: 'Sin conexión. Seguiremos apenas vuelva.',

  chooseTitle: '¿Cómo quieres pagar?',
  chooseOne: 'Así vas a pagar',
  /** Both kinds of key as one method. */
  methodBreb: 'Bre-B: QR o llave',
  methodBrebHint: 'Desde la app de cualquier banco o billetera',
  methodQr: 'QR Bre-B',
  methodQrHint: 'Escanéalo con la app de cualquier banco o billetera',
  methodKey: 'Llave Bre-B',
  methodKeyHint: 'Copia la llave y págala desde tu app, sin QR',
  methodPse: 'PSE',
  methodPseHint: 'Débito desde tu cuenta de ahorros o corriente',
  methodLink: 'Página de pago',
  methodLinkHint: 'Paga en una página segura con el medio que prefieras',
  methodNeeds: (fields: readonly string[]) => `Te pediremos: ${fields.join(', ')}`,
  overBrebLimit: (limit: string, others: boolean) =>
    `Bre-B suele tener un tope de ${limit}. Si tu banco no lo permite, ${others ? 'usa otro medio' : 'comunícate con el comercio'}.`,
  /** More than Bre-B carries at all, whatever the bank allows. */
  brebTooMuch: 'Este valor supera lo que se puede pagar con Bre-B.',
  /** After what cannot be paid this way: where else, by whether the order has other methods. */
  payElsewhere: (others: boolean) =>
    others ? 'Usa otro medio o comunícate con el comercio.' : 'Comunícate con el comercio.',
  noMethods: 'Este pedido no se puede pagar aquí. Comunícate con el comercio.',
  continue: 'Continuar',

  bank: 'Banco',
  document: 'Documento',
  fields: {
    name: 'Nombre completo',
    idType: 'Tipo de documento',
    idNumber: 'Número',
    phone: 'Celular',
    email: 'Correo electrónico',
  } satisfies Record<CustomerField, string>,
  payBreb: 'Pagar con Bre-B',

  creatingBreb: 'Generando tu llave…',
  creatingPse: 'Preparando tu pago…',

  finish: 'Volver a la tienda',
  /** In place of that button, where the page does nothing with it. */
  canClose: 'Ya puedes cerrar esta página.',

  goToLink: 'Ir a pagar',

  errorTitle: 'No pudimos continuar',
  /** A file of the widget could not be fetched. */
  partMissing:
    'No se pudo cargar el siguiente paso. Revisa tu conexión y recarga la página: tu pago sigue donde iba.',
  reload: 'Recargar la página',
  errors: {
    notFound: 'No encontramos este pedido. Vuelve a la tienda e intenta de nuevo.',
    network:
      'No logramos conectarnos. Revisa tu internet e intenta de nuevo; si ya pagaste, no pagues otra vez.',
    unavailable: 'El servicio de pagos no responde. Intenta en unos minutos.',
    busy: 'Hay muchas solicitudes. Intenta en unos minutos.',
    tooManyAttempts: 'Este pedido ya tuvo muchos intentos. Comunícate con el comercio.',
    refused: 'No se pudo crear la transacción, por favor intente más tarde o comuníquese con la empresa',
    setup: 'El pago no está disponible en esta página. Comunícate con el comercio.',
    unexpected: 'Algo no salió como esperábamos. Intenta de nuevo; si ya pagaste, no pagues otra vez.',
  },
};
