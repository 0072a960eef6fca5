import type { Hono } from 'hono';
import type { Metrics } from '../../server/log.js';
import type { OpenCheckout } from './checkout.js';
import { CONTENT_TYPE, counter, exposition, gauge, histogram } from './exposition.js';
import type { ServeSecrets } from './config.js';
import { isBearer } from './secrets.js';

/** What a checkout measures, in Prometheus' format. */
export interface MetricsEndpoint {
  /** Goes to `createCheckout`. */
  readonly metrics: Metrics;
  beside(app: Hono, opened: OpenCheckout): void;
}

const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(): MetricsEndpoint {
  const counts = counter(
    'pay_checkout_events_total',
    'What happened, by name and label: attempts and outcomes by rail, failures by kind',
  );
  const durations = histogram(
    'pay_checkout_duration_seconds',
    'How long requests, hooks and calls to the payment service took',
    SECONDS,
  );
  const gauges = {
    ready: gauge('pay_checkout_ready', '1 while payments can be taken'),
    waiters: gauge('pay_checkout_waiters', 'Answers that are held open'),
    readsLeft: gauge(
      'pay_checkout_service_reads_left',
      'What may be read from the payment service right now',
    ),
    due: gauge('pay_checkout_orders_due', 'Orders whose work is due'),
    oldestDue: gauge('pay_checkout_oldest_due_seconds', 'How long the oldest due work has waited'),
    notices: gauge(
      'pay_checkout_orders_with_waiting_notices',
      'Orders with a notice that no hook has taken yet',
    ),
    oldestNotice: gauge('pay_checkout_oldest_notice_seconds', 'How long the oldest notice has waited'),
    unmatched: gauge('pay_checkout_unmatched_events', 'Events that belong to no known order'),
    review: gauge('pay_checkout_orders_to_review', 'Orders that need a person'),
  };
  return {
    metrics({ name, value, unit, label = '' }) {
      if (unit === 'ms') durations.observe({ name, label }, value / 1000);
      else counts.add({ name, label }, value);
    },
    beside(app, opened) {
      app.get('/metrics', async (context) => {
        if (!(await mayRead(context.req.raw, opened.secrets.metrics))) return context.body(null, 401);
        const { ready, waiters, reads, store } = await opened.checkout.status();
        gauges.ready.set(ready ? 1 : 0);
        gauges.waiters.set(waiters);
        gauges.readsLeft.set(reads.left);
        if (store !== null) {
          gauges.due.set(store.due);
          gauges.oldestDue.set(ageInSeconds(store.oldestDueAt));
          gauges.notices.set(store.waitingNotices);
          gauges.oldestNotice.set(ageInSeconds(store.oldestNoticeAt));
          gauges.unmatched.set(store.unmatchedEvents);
          gauges.review.set(store.review);
        }
        return context.body(exposition([counts, durations, ...Object.values(gauges)]), 200, {
          'content-type': CONTENT_TYPE,
          'cache-control': 'no-store',
        });
      });
    },
  };
}

function ageInSeconds(time: string | null): number {
  return time === null ? 0 : Math.max(0, (Date.now() - Date.parse(time)) / 1000);
}

/** How much a shop sells is nobody's business. Where a request comes from proves nothing: a proxy may have sent it on. */
async function mayRead(request: Request, secrets: ServeSecrets['metrics']): Promise<boolean> {
  return secrets === 'public' || isBearer(request.headers.get('authorization'), secrets);
}
