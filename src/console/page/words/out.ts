import type { PayoutState } from '../../../contract/merchant/payouts.js';
import type { Names, Pair, Texts } from '../../../look/bilingual.js';

/** Money that goes out. */

export const out = {
  payouts: {
    lead: [
      'Dinero que envías a una llave Bre-B. Primero ves a quién le llega; solo tú confirmas.',
      'Money that you send to a Bre-B key. You see first who receives it; only you confirm.',
    ],
    create: ['Enviar un pago', 'Send a payout'],
    empty: ['Todavía no has enviado pagos', 'You have sent no payouts yet'],
    emptyHint: ['Consulta una llave y confirma a quién le pagas.', 'Look a key up and confirm whom you pay.'],
    formLead: [
      'Primero la llave: la consultamos y te mostramos de quién es. Todavía no se envía nada.',
      'The key first: we look it up and show you whose it is. Nothing is sent yet.',
    ],
    key: ['Llave Bre-B de quien recibe', "Receiver's Bre-B key"],
    keyHint: [
      'Celular, correo, documento, @alias o código de comercio.',
      'Mobile, e-mail, document, @alias or merchant code.',
    ],
    person: ['A quién esperas pagarle', 'Whom you expect to pay'],
    lookUp: ['Consultar la llave', 'Look the key up'],
    compare: ['Continuar', 'Continue'],
    keyUnknown: ['Nadie tiene esa llave.', 'Nobody has that key.'],
    keyMalformed: ['Eso no parece una llave Bre-B.', 'That does not look like a Bre-B key.'],
    confirmTitle: ['¿Es esta persona?', 'Is this the person?'],
    confirmLead: [
      'Compara con quien quieres pagar. Un pago enviado no se puede devolver.',
      'Compare with whom you want to pay. A payout that was sent cannot be taken back.',
    ],
    send: (amount: string) => [`Enviar ${amount}`, `Send ${amount}`],
    discard: ['Descartar', 'Discard'],
    discarded: ['Pago descartado. No se envió nada.', 'Payout discarded. Nothing was sent.'],
    detail: ['Pago enviado', 'Payout'],
    progress: ['Qué ha pasado', 'What happened'],
    states: {
      DRAFT: ['Nada se ha enviado. Confirma a quién le pagas.', 'Nothing was sent. Confirm whom you pay.'],
      SENDING: ['Enviando el pago al servicio…', 'Sending the payout to the service…'],
      PROCESSING: [
        'El servicio lo recibió. Esperamos su webhook con el resultado.',
        'The service has it. We wait for its webhook with the outcome.',
      ],
      UNCLEAR: [
        'No supimos si el servicio lo recibió. No lo enviamos otra vez, para no pagar doble: esperamos su webhook.',
        'We could not tell whether the service received it. We do not send it again, so as not to pay twice: we wait for its webhook.',
      ],
      REFUSED: ['No se envió nada. Puedes empezar otra vez.', 'Nothing was sent. You can start again.'],
      CONFIRMED: [
        'Confirmado: el dinero llegó, según el webhook del servicio.',
        "Confirmed: the money arrived, says the service's webhook.",
      ],
      DECLINED: [
        'Rechazado: el dinero no salió, según el webhook del servicio.',
        "Declined: the money did not leave, says the service's webhook.",
      ],
      CANCELED: [
        'Cancelado: el dinero no salió, según el webhook del servicio.',
        "Canceled: the money did not leave, says the service's webhook.",
      ],
    } satisfies Record<PayoutState, Pair>,
    refusals: {
      receiver_not_confirmed: [
        'La llave ya no es de la persona que confirmaste.',
        'The key no longer belongs to the person you confirmed.',
      ],
      network: ['No hubo conexión con el servicio.', 'There was no connection to the service.'],
      other: ['El servicio no lo aceptó.', 'The service did not accept it.'],
    } as Names & { readonly other: Pair },
    steps: {
      DRAFT: ['Llave consultada, intención guardada', 'Key looked up, intent stored'],
      SENDING: ['Confirmaste a quien recibe', 'You confirmed the receiver'],
      PROCESSING: ['El servicio respondió: en proceso', 'The service answered: processing'],
      UNCLEAR: ['Sin respuesta clara: espera su webhook', 'No clear answer: waits for its webhook'],
      REFUSED: ['No se envió', 'Not sent'],
      CONFIRMED: ['Webhook: el dinero llegó', 'Webhook: the money arrived'],
      DECLINED: ['Webhook: rechazado', 'Webhook: declined'],
      CANCELED: ['Webhook: cancelado', 'Webhook: canceled'],
    } as Names,
  },
  returns: {
    difference: ['Devolver la diferencia', 'Return the difference'],
    nothingLeft: [
      'Este cobro ya se devolvió por completo. No queda nada por devolver.',
      'This payin was given back in full. Nothing is left to return.',
    ],
    again: (name: string) => [`Sí, enviar a ${name}`, `Yes, send it to ${name}`],
    sure: (name: string) => [
      `Vas a enviar el dinero a ${name}, que no es la persona que esperabas. Un pago enviado no vuelve.`,
      `You are about to send the money to ${name}, who is not the person you expected. Money that was sent does not come back.`,
    ],
    title: ['Devoluciones', 'Returns'],
    giveBack: ['Devolver', 'Return'],
    formTitle: (reference: string) => [`Devolver el cobro ${reference}`, `Return the payin ${reference}`],
    formLead: [
      'Una devolución es un pago que envías a la llave Bre-B de quien pagó. Pídele su llave; te mostramos de quién es antes de enviar.',
      "A return is a payout to the payer's Bre-B key. Ask them for it; we show you whose it is before anything is sent.",
    ],
    payer: ['A quién le devuelves', 'Whom you return it to'],
    tooMuch: ['Es más de lo que queda por devolver.', 'That is more than is left to return.'],
    seePayin: ['Ver el cobro', 'See the payin'],
    typed: ['A quién esperas', 'Whom you expect'],
    found: ['De quién es la llave', 'Whose key it is'],
    same: ['El documento coincide.', 'The document is the same.'],
    differs: ['La llave es de otra persona.', "The key is somebody else's."],
    accept: [
      'Sé que no es la misma persona y quiero enviarle el dinero.',
      'I know that it is not the same person, and want to send them the money.',
    ],
  },
} satisfies Texts;
