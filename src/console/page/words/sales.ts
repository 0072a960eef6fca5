import type { ReconcileResult } from '../../../contract/merchant/sales.js';
import type { Pair, Texts } from '../../../look/bilingual.js';

/** What came in, and comparing it with the service. */

export const sales = {
  overview: {
    lead: [
      'Lo que entró, cómo pagan y si todo marcha. Los días son los de Colombia.',
      'What came in, how people pay and whether all is well. Days are Colombian.',
    ],
    average: ['Promedio', 'Average'],
    collected: ['Recaudado', 'Collected'],
    figures: ['Cifras del periodo', 'Figures of the period'],
    byDay: ['Recaudado por día', 'Collected by day'],
    day: ['Día', 'Day'],
    byMethod: ['Del inicio al pago, por medio de pago', 'From start to payment, by payment method'],
    waits: ['De la llave al dinero', 'From the key to the money'],
    median: ['La mitad tarda menos de', 'Half take less than'],
    p90: ['9 de cada 10 tardan menos de', '9 of 10 take less than'],
    reasons: ['Por qué no se pagó', 'Why it was not paid'],
    reason: ['Motivo', 'Reason'],
    times: ['Veces', 'Times'],
    asTable: ['Ver como tabla', 'Show as a table'],
    empty: ['Todavía no hay intentos de pago en estos días', 'No payment attempts in these days yet'],
    emptyHint: [
      'Cuando alguien empiece a pagar, aquí verás cómo va.',
      'Once somebody starts to pay, you see here how it goes.',
    ],
    periods: {
      '1': ['Hoy', 'Today'],
      '7': ['7 días', '7 days'],
      '30': ['30 días', '30 days'],
    },
    steps: {
      started: ['Iniciados', 'Started'],
      shown: ['Con llave o banco a la vista', 'Saw the key or the bank'],
      paid: ['Pagados', 'Paid'],
      declined: ['Terminados sin pago', 'Ended without payment'],
      open: ['Aún abiertos', 'Still open'],
      failed: ['No llegaron a la llave', 'Never got to the key'],
    },
    returned: (returned: string, net: string) => [
      `Devuelto: ${returned} · quedan ${net}`,
      `Returned: ${returned} · ${net} left`,
    ],
    before: (yesterday: string, weekAgo: string) => [
      `Ayer: ${yesterday} · hace una semana: ${weekAgo}`,
      `Yesterday: ${yesterday} · a week ago: ${weekAgo}`,
    ],
    payments: (text: string, count: number) => [
      count === 1 ? '1 pago' : `${text} pagos`,
      count === 1 ? '1 payment' : `${text} payments`,
    ],
    needsPerson: (count: number) => [
      count === 1 ? '1 asunto por revisar' : `${count} asuntos por revisar`,
      count === 1 ? '1 thing to review' : `${count} things to review`,
    ],
  },
  health: {
    title: ['Servicio y avisos', 'Service and notices'],
    well: ['Todo marcha', 'All is well'],
    ill: ['Necesita atención', 'Needs attention'],
    work: ['Última vuelta del trabajo de fondo', 'Last round of the background work'],
    byTicks: ['Corre por tareas programadas', 'Runs by schedule'],
    due: ['Pedidos con trabajo pendiente', 'Orders with work due'],
    notices: ['Avisos sin entregar a tu tienda', 'Notices your shop has not taken'],
    events: ['Webhooks sin pedido conocido', 'Webhooks without a known order'],
    speed: ['Respuesta del servicio', 'Answers of the service'],
    failures: ['Fallas al leer / al crear', 'Failures reading / creating'],
    none: ['ninguna', 'none'],
    away: ['La base de datos no responde', 'The database does not answer'],
    since: (count: number, time: string) => [
      count === 0 ? '0' : `${count}, desde ${time}`,
      count === 0 ? '0' : `${count}, since ${time}`,
    ],
    calls: (readMs: number, createMs: number) => [
      `leer ${readMs} ms, crear ${createMs} ms`,
      `read ${readMs} ms, create ${createMs} ms`,
    ],
  },
  attempts: {
    lead: [
      'Cada intento de pagar un pedido, lo más nuevo primero.',
      'Every attempt to pay an order, newest first.',
    ],
    csv: ['Descargar para Excel (CSV)', 'Download for Excel (CSV)'],
    filters: ['Filtros', 'Filters'],
    from: ['Desde el día', 'From'],
    to: ['Hasta el día', 'To'],
    empty: ['Ningún intento de pago coincide', 'No payment attempt matches'],
    emptyHint: ['Cambia las fechas o quita filtros.', 'Change the dates or clear filters.'],
    states: {
      open: ['Abiertos', 'Open'],
      paid: ['Pagados', 'Paid'],
      declined: ['Rechazados', 'Declined'],
      canceled: ['Cancelados o vencidos', 'Canceled or expired'],
    },
    totals: (count: string, paid: string, money: string) => [
      `${count} en total · ${paid} ${paid === '1' ? 'pagado' : 'pagados'} · ${money} recibidos`,
      `${count} in all · ${paid} paid · ${money} received`,
    ],
  },
  reconcile: {
    lead: [
      'Compara estos días con la lista del servicio. Lo que faltaba aquí y el servicio confirma queda en su pedido.',
      "Compares these days with the service's list. What was missing here and the service confirms gets to its order.",
    ],
    submit: ['Comparar', 'Compare'],
    running: ['Comparando…', 'Comparing…'],
    stopped: [
      'No se pudo leer toda la lista del servicio. Intenta otra vez.',
      "The service's list could not be read to its end. Try again.",
    ],
    theirs: ['Según el servicio', 'By the service'],
    ours: ['Según tus pedidos', 'By your orders'],
    results: {
      same: ['Igual', 'The same'],
      settled: ['Se actualizó', 'Brought up to date'],
      adopted: ['Se encontró su pedido', 'Its order was found'],
      differs: ['No cuadra', 'Does not match'],
      unknown_order: ['Sin pedido conocido', 'No known order'],
      missing_there: ['No está en el servicio', 'Not at the service'],
    } satisfies Record<ReconcileResult, Pair>,
    done: (compared: number, differing: number) => [
      `${compared === 1 ? '1 pago comparado' : `${compared} pagos comparados`}: ${differing === 0 ? 'todo cuadra' : differing === 1 ? '1 con novedad' : `${differing} con novedad`}`,
      `${compared === 1 ? '1 payment compared' : `${compared} payments compared`}: ${differing === 0 ? 'all match' : `${differing} to look at`}`,
    ],
  },
  payins: {
    lead: [
      'Todo lo que el servicio ha cobrado por ti, lo más nuevo primero.',
      'All that the service has collected for you, newest first.',
    ],
    apply: ['Buscar', 'Search'],
    clear: ['Quitar filtros', 'Clear filters'],
    newest: ['Ir a lo último', 'Go to the newest'],
    empty: ['Todavía no hay cobros', 'There are no payins yet'],
    emptyHint: [
      'Compra algo en la tienda y aparece aquí, sin recargar.',
      'Buy something in the shop and it appears here, without reloading.',
    ],
    shop: ['Ir a la tienda', 'Go to the shop'],
    noMatch: ['Ningún cobro coincide', 'No payin matches'],
    noMatchHint: [
      'Cambia los filtros, o sigue buscando entre los más antiguos.',
      'Change the filters, or go on looking among older ones.',
    ],
    lookedAtAll: ['Miramos todos los cobros del servicio.', 'We looked at all payins of the service.'],
    shown: (count: number, scanned: number) => [
      `${count === 1 ? '1 cobro' : `${count} cobros`}${scanned > count ? ` de ${scanned} revisados` : ''}`,
      `${count === 1 ? '1 payin' : `${count} payins`}${scanned > count ? ` of ${scanned} looked at` : ''}`,
    ],
    fromLink: ['de un enlace de pago', 'from a payment link'],
    detail: ['Cobro', 'Payin'],
  },
} satisfies Texts;
