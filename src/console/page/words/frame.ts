import type { Pair, Texts } from '../../../look/bilingual.js';
import type { Problem } from '../api.js';
import type { Section } from '../route.js';

/** The page around the screens, and what goes wrong. */

export const frame = {
  title: ['Consola', 'Console'],
  sections: {
    overview: ['Resumen', 'Overview'],
    review: ['Por revisar', 'To review'],
    attempts: ['Todas las ventas', 'All sales'],
    reconcile: ['Conciliación', 'Reconciliation'],
    payins: ['Servicio', 'Service'],
    payouts: ['Devoluciones y pagos', 'Refunds and payouts'],
    links: ['Enlaces', 'Links'],
    orders: ['Pedidos', 'Orders'],
  } satisfies Record<Section, Pair>,
  groups: {
    sales: ['Ventas', 'Sales'],
    review: ['Por revisar', 'To review'],
    links: ['Enlaces', 'Links'],
    out: ['Devoluciones y pagos', 'Refunds and payouts'],
    technical: ['Técnico', 'Technical'],
  },
  find: {
    label: ['Buscar un pago', 'Find a payment'],
    hint: [
      'Pedido, referencia, CUS, llave, valor, documento o fecha',
      'Order, reference, CUS, key, amount, document or date',
    ],
    submit: ['Buscar', 'Search'],
    found: (text: string) => [
      `Buscamos «${text}» en todo lo que entró y salió de tu tienda.`,
      `We searched all that came in and went out of your shop for “${text}”.`,
    ],
    nothing: (text: string) => [`Nada coincide con «${text}»`, `Nothing matches “${text}”`],
    everywhere: [
      'Buscamos en todos los pagos de tu tienda: pedido, referencia, CUS, llave, valor exacto, últimos cuatro del documento y fecha. También en devoluciones, envíos y contracargos: pedido, referencia, valor y fecha.',
      'We searched all payments of your shop: order, reference, CUS, key, exact amount, last four of the document and date. Refunds, payouts and chargebacks too: order, reference, amount and date.',
    ],
    atService: ['Buscar por referencia en el servicio', 'Search by reference at the service'],
  },
  signOut: ['Salir', 'Sign out'],
  lost: ['Reconectando…', 'Reconnecting…'],
  testNote: ['Consola de demostración: ningún dinero se mueve.', 'Demonstration console: no money moves.'],
  demo: ['Demostración', 'Demonstration'],
  more: ['Ver más', 'Show more'],
  short: (paid: string, asked: string, missing: string) => [
    `${paid} de ${asked} · faltan ${missing}`,
    `${paid} of ${asked} · ${missing} missing`,
  ],
  over: (paid: string, asked: string, extra: string) => [
    `${paid} de ${asked} · sobran ${extra}`,
    `${paid} of ${asked} · ${extra} too much`,
  ],
  inSandbox: ['Verlo en el sandbox', 'See it in the sandbox'],
  webhooks: ['Webhooks', 'Webhooks'],
  problems: {
    away: ['Tu servidor no responde. Seguimos intentando.', 'Your server does not answer. We keep trying.'],
    service_away: [
      'El servicio de pagos no responde. Seguimos intentando.',
      'The payment service does not answer. We keep trying.',
    ],
    not_found: [
      'No lo encontramos. Tal vez se borró, o la dirección está incompleta.',
      'We did not find it. It may have been deleted, or the address is incomplete.',
    ],
    unauthenticated: ['Tu sesión terminó. Entra otra vez.', 'Your session is over. Sign in again.'],
    wrong_token: ['Ese código no es.', 'That is not the code.'],
    too_many_sign_ins: [
      'Demasiados intentos de entrar. Espera un rato y vuelve a intentar.',
      'Too many attempts to sign in. Wait a while and try again.',
    ],
    forbidden: ['Esta página quedó vieja. Recárgala.', 'This page is out of date. Reload it.'],
    invalid_input: ['Revisa lo que está marcado.', 'Check what is marked.'],
    not_sendable: [
      'Ya no se puede enviar: pasaron más de 15 minutos desde la consulta, o ese cobro ya se devolvió. Empieza otra vez.',
      'It can no longer be sent: more than 15 minutes have passed since the lookup, or that payin was returned already. Start again.',
    ],
    not_payable: [
      'Este pedido no espera más pagos ahora: ya está completo, o quien paga está en su banco.',
      'This order takes no further payment now: it is complete, or the payer is at the bank.',
    ],
    too_many: ['Hay demasiadas consolas abiertas.', 'Too many consoles are open.'],
    failed: ['Algo falló. Intenta de nuevo.', 'Something went wrong. Try again.'],
  } satisfies Record<Problem, Pair>,
  signIn: {
    title: ['Entra a la consola', 'Sign in to the console'],
    lead: [
      'Escribe el código de entrada de tu consola. Lo tiene quien la instaló.',
      'Type the entry code of your console. The person who installed it has it.',
    ],
    token: ['Código de entrada', 'Entry code'],
    enter: ['Entrar', 'Sign in'],
    opening: ['Abriendo la consola…', 'Opening the console…'],
  },
} satisfies Texts;
