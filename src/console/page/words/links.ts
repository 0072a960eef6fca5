import type { LinkFlow, LinkState } from '../../../contract/merchant/console.js';
import type { Pair, Texts } from '../../../look/bilingual.js';

/** Payment links. */

export const links = {
  links: {
    more: ['Más opciones', 'More options'],
    forOrder: (sum: string, order: string) => [
      `Pide ${sum}: lo que falta del pedido ${order}.`,
      `Asks for ${sum}: what is missing of order ${order}.`,
    ],
    lead: [
      'Una página de pago con su propia dirección, para vender por chat o en el mostrador. Vive una hora.',
      'A payment page with its own address, to sell by chat or at the counter. It lives for one hour.',
    ],
    create: ['Nuevo enlace de pago', 'New payment link'],
    empty: ['Todavía no hay enlaces de pago', 'There are no payment links yet'],
    emptyHint: [
      'Crea uno y compártelo con su dirección o su QR.',
      'Create one and share it by its address or its QR.',
    ],
    flow: ['Qué puede elegir quien paga', 'What the payer may choose'],
    flows: {
      open: ['Abierto', 'Open'],
      restricted: ['Un solo medio de pago', 'One payment method'],
      bank: ['PSE con el banco elegido', 'PSE with the bank chosen'],
      prefilled: ['Con los datos de quien paga', 'With the payer’s details'],
      'restricted-prefilled': [
        'Un solo medio de pago, con los datos de quien paga',
        'One payment method, with the payer’s details',
      ],
    } satisfies Record<LinkFlow, Pair>,
    flowHints: {
      open: [
        'Elige el medio de pago y escribe sus datos.',
        'Chooses a payment method and types their details.',
      ],
      restricted: ['Solo puede usar el que digas.', 'Can use only the one you say.'],
      bank: ['Va directo a su banco.', 'Goes straight to their bank.'],
      prefilled: [
        'Elige el medio de pago; sus datos ya están.',
        'Chooses a payment method; the details are there.',
      ],
      'restricted-prefilled': ['Solo confirma y paga.', 'Only confirms and pays.'],
    } satisfies Record<LinkFlow, Pair>,
    chooseBank: ['Elige un banco', 'Choose a bank'],
    callback: ['A dónde vuelve al terminar', 'Where the payer returns to'],
    submit: ['Crear el enlace', 'Create the link'],
    detail: ['Enlace de pago', 'Payment link'],
    address: ['Dirección del enlace', 'Address of the link'],
    open: ['Abrir el enlace', 'Open the link'],
    whatsApp: ['Enviar por WhatsApp', 'Send by WhatsApp'],
    poster: ['Cartel con QR', 'Poster with a QR'],
    posterLead: [
      'Para imprimir y poner en el mostrador.',
      'To print for the counter. It is in Spanish, for those who pay.',
    ],
    print: ['Imprimir', 'Print'],
    another: ['Crear otro igual', 'Create another like it'],
    anotherPayer: [
      'Los datos de quien paga no se guardan: escríbelos otra vez.',
      'Payers’ details are not kept: type them again.',
    ],
    qr: ['Código QR que abre el enlace de pago', 'QR code that opens the payment link'],
    qrHint: ['Muéstralo en el mostrador o envíalo por chat.', 'Show it at the counter or send it by chat.'],
    states: {
      CREATING: ['Creando el enlace…', 'Creating the link…'],
      REFUSED: ['El servicio no lo aceptó.', 'The service did not accept it.'],
      PENDING: ['Esperando el pago.', 'Waiting for the payment.'],
      COMPLETED: ['Pagado.', 'Paid.'],
      EXPIRED: [
        'Venció sin pago. Un enlace vencido no se usa otra vez: crea uno nuevo.',
        'It expired unpaid. An expired link is not used again: create a new one.',
      ],
    } satisfies Record<LinkState, Pair>,
    payins: ['Cobros de este enlace de pago', 'Payins of this payment link'],
    noPayins: ['Nadie ha empezado a pagarlo.', 'Nobody has begun to pay it.'],
    olderPayins: ['Buscar entre los cobros más antiguos', 'Look among older payins'],
  },
} satisfies Texts;
