import type { ReviewKind } from '../../../contract/merchant/sales.js';
import type { Names, Texts } from '../../../look/bilingual.js';

/** One order, and what needs a person. */

export const review = {
  review: {
    lead: [
      'Lo que una persona debe mirar: qué pasó, qué hacer y dejarlo resuelto con una nota.',
      'What a person should look at: what happened, what to do, and resolving it with a note.',
    ],
    empty: ['Nada por revisar', 'Nothing to review'],
    emptyHint: [
      'Los valores distintos, pagos repetidos o tardíos, contracargos y avisos que fallan aparecen aquí.',
      'Another amount, repeated or late payments, chargebacks and failing notices appear here.',
    ],
    unmatchedHint: [
      'El servicio envió webhooks de pagos que ningún pedido conoce. Concilia esos días: si son tuyos, quedan en su pedido.',
      'The service sent webhooks of payments that no order knows. Reconcile those days: if they are yours, they get to their order.',
    ],
    open: ['Por resolver', 'To resolve'],
    sinceLabel: ['Desde', 'Since'],
    nextStep: ['Qué hacer:', 'What to do:'],
    note: ['Nota (opcional): qué se hizo', 'Note (optional): what was done'],
    handled: ['Marcar resuelto', 'Mark as resolved'],
    handledDone: ['Quedó resuelto.', 'It is resolved.'],
    attempts: ['Intentos de pago', 'Payment attempts'],
    notices: ['Avisos a tu tienda', 'Notices to your shop'],
    repeat: ['Entregar otra vez', 'Deliver again'],
    repeated: ['El aviso se entrega otra vez.', 'The notice is delivered again.'],
    history: ['Historial', 'History'],
    returned: ['Pago repetido devuelto', 'Repeated payment returned'],
    closeIt: [
      'El dinero ya volvió a quien pagó. Márcalo como resuelto.',
      'The money is back with the payer. Mark it as resolved.',
    ],
    deliver: ['Entregar de todos modos', 'Deliver anyway'],
    delivered: ['Se entrega de todos modos.', 'Delivered anyway.'],
    askForRest: ['Crear enlace por lo que falta', 'Create a link for the rest'],
    done: ['Resuelto', 'Resolved'],
    reopen: ['Volver a abrir', 'Reopen'],
    reopened: ['Quedó abierto otra vez.', 'It is open again.'],
    cameShort: (paid: string, asked: string, missing: string) => [
      `Llegaron ${paid} de ${asked}: faltan ${missing}.`,
      `${paid} of ${asked} arrived: ${missing} are missing.`,
    ],
    cameOver: (paid: string, asked: string, extra: string) => [
      `Llegaron ${paid} y el pedido vale ${asked}: sobran ${extra}.`,
      `${paid} arrived and the order costs ${asked}: ${extra} too much.`,
    ],
    cameTwice: (sum: string) => [
      `Llegaron ${sum} de más: el pedido ya está pagado.`,
      `${sum} too much arrived: the order is already paid.`,
    ],
    cameLate: (sum: string) => [
      `Los ${sum} llegaron después de su plazo.`,
      `The ${sum} arrived after their time was over.`,
    ],
    hooks: {
      onConfirmed: ['Pago confirmado', 'Payment confirmed'],
      onDeclined: ['Pago rechazado', 'Payment declined'],
      onCanceled: ['Pago cancelado', 'Payment canceled'],
      onDuplicatePayment: ['Pago repetido', 'Repeated payment'],
      onAmountMismatch: ['Llegó otro valor', 'Another amount arrived'],
      onChargeback: ['Contracargo', 'Chargeback'],
      onRefunded: ['Devolución entregada', 'Refund arrived'],
      onPayoutFailed: ['Envío fallido', 'Payout failed'],
      onPayout: ['Noticia de un envío', 'News of a payout'],
      onReport: ['Algo por revisar', 'Something to review'],
    } as Names,
    kinds: {
      quarantined: {
        name: ['Datos que no cuadran', 'Data that does not match'],
        story: [
          'El servicio respondió con datos distintos a los que pedimos, así que el pago no se dio por bueno.',
          'The service answered with other data than was asked for, so the payment was not accepted.',
        ],
        next: [
          'Mira el pago en el servicio. Si es de este pedido, entrégalo; si no, escribe al servicio con la referencia.',
          'Look at the payment at the service. If it is for this order, deliver; if not, write to the service with the reference.',
        ],
      },
      amount_mismatch: {
        name: ['Otro valor', 'Another amount'],
        next: [
          'Si pagaron de menos, pide el resto o devuelve. Si pagaron de más, devuelve la diferencia.',
          'If it was too little, ask for the rest or return it. If it was too much, return the difference.',
        ],
      },
      duplicate: {
        name: ['Pago repetido', 'Repeated payment'],
        next: ['Devuelve ese valor a quien lo pagó.', 'Return that amount to the payer.'],
      },
      late: {
        name: ['Pago tardío', 'Late payment'],
        next: [
          'Si aún hay existencias, despacha. Si no, devuelve el dinero.',
          'Ship if you still have it. Otherwise return the money.',
        ],
      },
      unverified: {
        name: ['Webhook sin confirmar', 'Unconfirmed webhook'],
        story: [
          'Un webhook dice que el pago terminó, pero al preguntarle al servicio no está de acuerdo.',
          'A webhook says that the payment ended, but the service, when asked, does not agree.',
        ],
        next: [
          'No entregues todavía. Si sigue así, pregunta al servicio por la referencia.',
          'Do not deliver yet. If it stays so, ask the service about the reference.',
        ],
      },
      stuck: {
        name: ['Sin respuesta del banco', 'No answer from the bank'],
        story: [
          'Quien paga fue a su banco y un día después nadie sabe si pagó.',
          'The payer went to the bank, and a day later nobody knows whether they paid.',
        ],
        next: [
          'Pregunta al servicio por la referencia antes de pedirle que pague otra vez.',
          'Ask the service about the reference before you ask them to pay again.',
        ],
      },
      payout_unclear: {
        name: ['Envío sin resultado', 'Payout without an outcome'],
        story: [
          'Se envió dinero, o quizás se envió, y el servicio no ha dicho si llegó. No se envía otra vez.',
          'Money was sent, or may have been, and the service has not said whether it arrived. It is not sent again.',
        ],
        next: [
          'Pregunta al servicio por la referencia antes de enviar de nuevo.',
          'Ask the service about the reference before you send again.',
        ],
      },
      payout_contradicted: {
        name: ['Envío contradictorio', 'Contradictory payout'],
        story: [
          'Lo que el servicio dice de este envío no concuerda.',
          'What the service says of this payout does not fit together.',
        ],
        next: [
          'Compara la referencia con el extracto y con el servicio.',
          'Compare the reference with your statement and with the service.',
        ],
      },
      hook_failing: {
        name: ['Aviso que falla', 'Failing notice'],
        story: [
          'Tu tienda no recibe el aviso: responde con error cada vez.',
          'Your shop does not take the notice: it answers with an error every time.',
        ],
        next: [
          'Arregla el programa que recibe los avisos; se entregan solos en cuanto responda bien.',
          'Repair the program that takes notices; they are delivered by themselves once it answers well.',
        ],
      },
      chargeback: {
        name: ['Contracargo', 'Chargeback'],
        story: ['El banco de quien pagó reversó el pago.', "The payer's bank took the payment back."],
        next: [
          'Detén la entrega si aún puedes y responde al banco con los soportes de la venta.',
          'Stop the delivery if you still can, and answer the bank with the proofs of the sale.',
        ],
      },
    } satisfies Record<ReviewKind, Names>,
    events: {
      attempt_created: ['Empezó un intento de pago', 'A payment attempt began'],
      attempt_replaced: ['Quien paga cambió de medio de pago', 'The payer changed the payment method'],
      attempt_failed: ['No se pudo crear el pago', 'The payment could not be created'],
      payment_known: ['El servicio creó el pago', 'The service created the payment'],
      event_received: ['Llegó un webhook', 'A webhook arrived'],
      payment_confirmed: ['Pago confirmado', 'Payment confirmed'],
      payment_duplicate: ['Pago repetido', 'Repeated payment'],
      amount_mismatch: ['Pagaron otro valor', 'Another amount was paid'],
      payment_declined: ['Pago rechazado', 'Payment declined'],
      payment_canceled: ['Pago cancelado', 'Payment canceled'],
      chargeback: ['Contracargo', 'Chargeback'],
      quarantined: ['Datos que no cuadran', 'Data that does not match'],
      event_unverified: ['Webhook sin confirmar', 'Unconfirmed webhook'],
      watch_ended: ['Dejamos de esperar', 'We stopped waiting'],
      status_contradicted: ['El servicio cambió un resultado final', 'The service changed a final outcome'],
      notice_delivered: ['Tu tienda recibió el aviso', 'Your shop took the notice'],
      notice_repeated: ['Se pidió entregar el aviso otra vez', 'The notice was asked for again'],
      review_handled: ['Resuelto por una persona', 'Resolved by a person'],
      review_reopened: ['Abierto otra vez por una persona', 'Reopened by a person'],
      attempts_reset: ['Se dieron más intentos', 'More attempts were given'],
    } as Names,
    items: (count: number) => [
      count === 1 ? '1 asunto' : `${count} asuntos`,
      count === 1 ? '1 thing' : `${count} things`,
    ],
    since: (time: string) => [`desde ${time}`, `since ${time}`],
    unmatched: (count: number) => [
      count === 1 ? '1 webhook sin pedido conocido' : `${count} webhooks sin pedido conocido`,
      count === 1 ? '1 webhook without a known order' : `${count} webhooks without a known order`,
    ],
    waiting: (tries: number) => [
      tries === 0 ? 'en espera' : `en espera, ${tries} intentos`,
      tries === 0 ? 'waiting' : `waiting, ${tries} tries`,
    ],
  },
  orders: {
    detail: ['Pedido', 'Order'],
  },
} satisfies Texts;
