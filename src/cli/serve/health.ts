import type { Hono } from 'hono';
import type { Checkout } from '../../server/checkout.js';

/** Below this the background work counts as alive: a round takes a second. */
const ALIVE_FOR_MS = 60_000;

/** For a balancer or a supervisor. They say whether, not what: anybody may ask. */
export function healthBeside(app: Hono, checkout: Checkout): void {
  const startedAt = Date.now();
  const headers = { 'cache-control': 'no-store' };
  app.get('/health', async (context) => {
    const { work } = await checkout.status();
    const roundAt = work.lastRoundAt === null ? startedAt : Date.parse(work.lastRoundAt);
    const alive = Date.now() - roundAt < ALIVE_FOR_MS;
    return context.json({ status: alive ? 'alive' : 'work_stopped' }, alive ? 200 : 503, headers);
  });
  app.get('/ready', async (context) => {
    const { ready, store } = await checkout.status();
    const status = ready ? 'ready' : store === null ? 'store_unreachable' : 'work_stopped';
    return context.json({ status, oldestDueAt: store?.oldestDueAt ?? null }, ready ? 200 : 503, headers);
  });
}
