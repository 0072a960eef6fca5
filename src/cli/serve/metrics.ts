import type { Hono } from 'hono';
import type { Metrics } from '../../server/log/log.js';
import type { CheckoutStatus } from '../../server/operations/status.js';
import type { OpenCheckout } from './checkout.js';
import type { ServeSecrets } from './config.js';
import { CONTENT_TYPE, metric, Totals } from './exposition.js';
import { isBearer } from './secrets.js';

/** What a checkout measures, in Prometheus' format. */
export interface MetricsEndpoint {
  /** Goes to `createCheckout`. */
  readonly metrics: Metrics;
  beside(app: Hono, opened: OpenCheckout): void;
}

const EVENTS = 'pay_checkout_events_total';
const DURATIONS = 'pay_checkout_duration_seconds';
const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(): MetricsEndpoint {
  const [events, durations] = [new Totals(), new Totals()];
  return {
    metrics({ name, value, unit, label = '' }) {
      if (unit === 'ms') durations.observe(DURATIONS, { name, label }, value / 1000, SECONDS);
      else events.add(EVENTS, { name, label }, value);
    },
    beside(app, opened) {
      app.get('/metrics', async (context) => {
        if (!(await mayRead(context.req.raw, opened.secrets.metrics))) return context.body(null, 401);
        const text = [
          metric('counter', EVENTS, EVENTS_HELP, events.samples()),
          metric('histogram', DURATIONS, DURATIONS_HELP, durations.samples()),
          ...gaugesOf(await opened.checkout.status()).map(([name, help, value]) =>
            metric('gauge', name, help, [[name, value]]),
          ),
        ];
        return context.body(text.join(''), 200, {
          'content-type': CONTENT_TYPE,
          'cache-control': 'no-store',
        });
      });
    },
  };
}

const EVENTS_HELP = 'What happened, by name and label: attempts and outcomes by rail, failures by kind';
const DURATIONS_HELP = 'How long requests, hooks and calls to the payment service took';

type Gauge = readonly [name: string, help: string, value: number];

/** What the store knows is left out while it cannot be reached. */
function gaugesOf({ ready, waiters, reads, store }: CheckoutStatus): readonly Gauge[] {
  const own: readonly Gauge[] = [
    ['pay_checkout_ready', '1 while payments can be taken', ready ? 1 : 0],
    ['pay_checkout_waiters', 'Answers that are held open', waiters],
    ['pay_checkout_service_reads_left', 'What may be read from the payment service right now', reads.left],
  ];
  if (store === null) return own;
  return [
    ...own,
    ['pay_checkout_orders_due', 'Orders whose work is due', store.due],
    [
      'pay_checkout_oldest_due_seconds',
      'How long the oldest due work has waited',
      ageInSeconds(store.oldestDueAt),
    ],
    [
      'pay_checkout_orders_with_waiting_notices',
      'Orders with a notice that no hook has taken yet',
      store.waitingNotices,
    ],
    [
      'pay_checkout_oldest_notice_seconds',
      'How long the oldest notice has waited',
      ageInSeconds(store.oldestNoticeAt),
    ],
    ['pay_checkout_unmatched_events', 'Events that belong to no known order', store.unmatchedEvents],
    ['pay_checkout_orders_to_review', 'Orders that need a person', store.review],
  ];
}

function ageInSeconds(time: string | null): number {
  return time === null ? 0 : Math.max(0, (Date.now() - Date.parse(time)) / 1000);
}

/** Metrics say how much a shop sells. A request's address proves nothing, because a proxy may have sent it on. */
async function mayRead(request: Request, secrets: ServeSecrets['metrics']): Promise<boolean> {
  return secrets === 'public' || isBearer(request.headers.get('authorization'), secrets);
}
