import { Hono } from 'hono';
import type { HealthView, OrderDetail } from '../../contract/merchant/console.js';
import { colombianDay } from '../../contract/values/moment.js';
import type { Checkout } from '../../server/checkout.js';
import type { Store } from '../../server/stores/store.js';
import { attemptsOf } from './attempts.js';
import { csvFile } from './csv.js';
import { ConsoleProblemError } from './problem.js';
import {
  endOf,
  HandledSchema,
  readAttemptsQuery,
  readBody,
  ReconcileSchema,
  RepeatSchema,
} from './queries.js';

/** What was sold: figures, lists, one order, what needs a person, and comparing with the service. */

interface SalesParts {
  readonly checkout: Checkout;
  readonly store: Store;
  readonly now: () => number;
}

/** Figures are added up at most this often, however many pages are open. */
const FIGURES_FOR_MS = 3_000;

export function salesRoutes({ checkout, store, now }: SalesParts): Hono {
  const attempts = attemptsOf(store, now);
  const fresh = remembering(now);
  const app = new Hono();

  app.get('/overview', async (context) =>
    context.json({
      collected: await fresh('collected', () => attempts.collected()),
      health: await healthOf(checkout),
    }),
  );
  app.get('/overview/:days{1|7|30}', async (context) => {
    const days = Number(context.req.param('days'));
    return context.json(await fresh(`overview ${days}`, () => attempts.overview(days)));
  });

  app.get('/review', async (context) => {
    const after = context.req.query('after');
    const page = await checkout.orders.review(after === undefined ? {} : { after });
    const { store } = await checkout.status();
    return context.json({
      ...page,
      unmatchedEvents: store?.unmatchedEvents ?? 0,
      oldestUnmatchedEventAt: store?.oldestUnmatchedEventAt ?? null,
    });
  });
  app.get('/orders/:order', async (context) => {
    const order = context.req.param('order');
    const view = await checkout.orders.show(order);
    if (view === undefined) throw new ConsoleProblemError('not_found');
    const returns = (await checkout.refunds.list(order)).filter(({ state }) => state !== 'DRAFT');
    return context.json({ ...view, returns } satisfies OrderDetail);
  });
  app.post('/orders/:order/handled', async (context) => {
    const { item, note } = readBody(HandledSchema, await context.req.json().catch(() => null));
    const done = await checkout.orders.markHandled(context.req.param('order'), item, note ? { note } : {});
    if (!done) throw new ConsoleProblemError('not_found');
    return context.body(null, 204);
  });
  app.post('/orders/:order/reopen', async (context) => {
    const { item } = readBody(HandledSchema, await context.req.json().catch(() => null));
    if (!(await checkout.orders.reopen(context.req.param('order'), item)))
      throw new ConsoleProblemError('not_found');
    return context.body(null, 204);
  });
  app.post('/orders/:order/repeat', async (context) => {
    const { notice } = readBody(RepeatSchema, await context.req.json().catch(() => null));
    if (!(await checkout.orders.repeatNotice(context.req.param('order'), notice)))
      throw new ConsoleProblemError('not_found');
    return context.body(null, 204);
  });

  app.get('/attempts', async (context) => {
    const { query: asked, after } = readAttemptsQuery(new URL(context.req.url).searchParams);
    // What is searched for may as well be a refund or a payout.
    const query = { ...asked, withMoneyOut: asked.search !== undefined };
    const [page, totals] = [
      await attempts.list({ ...query, ...(after !== undefined && { after }) }),
      await attempts.totals(query),
    ];
    return context.json({ ...page, totals });
  });
  app.get('/attempts.csv', (context) => {
    const { query } = readAttemptsQuery(new URL(context.req.url).searchParams);
    return context.body(csvFile(attempts, query), 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="ventas-${colombianDay(now())}.csv"`,
    });
  });

  app.post('/reconcile', async (context) => {
    const { from, to } = readBody(ReconcileSchema, await context.req.json().catch(() => null));
    if (from > to) throw new ConsoleProblemError('invalid_input', [{ field: 'to', code: 'too_small' }]);
    const { payments, ...result } = await checkout.reconcile({
      from,
      to: endOf(to),
      signal: context.req.raw.signal,
    });
    const differing = payments.filter(({ result: each }) => each !== 'same');
    return context.json({ ...result, compared: payments.length, payments: differing });
  });
  return app;
}

async function healthOf(checkout: Checkout): Promise<HealthView> {
  const { ready, store, work, service } = await checkout.status();
  return { ready, store, workRunning: work.running, lastRoundAt: work.lastRoundAt, service };
}

/** An answer that is a few seconds old is good enough for every page that is open; one that failed is not kept. */
function remembering(now: () => number) {
  const answers = new Map<string, { readonly at: number; readonly answer: Promise<unknown> }>();
  return <Value>(key: string, ask: () => Promise<Value>): Promise<Value> => {
    const known = answers.get(key);
    if (known !== undefined && now() - known.at < FIGURES_FOR_MS) return known.answer as Promise<Value>;
    const answer = ask();
    answers.set(key, { at: now(), answer });
    answer.catch(() => answers.delete(key));
    return answer;
  };
}
