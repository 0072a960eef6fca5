import type { Hono } from 'hono';
import type { OpenCheckout } from './checkout.js';

/** For a load balancer or a supervisor. Any client may ask, so the answers carry no figures. */
export function healthBeside(app: Hono, opened: OpenCheckout): void {
  const headers = { 'cache-control': 'no-store' };
  app.get('/health', async (context) => {
    const { alive } = (await opened.checkout.status()).work;
    return context.json({ status: alive ? 'alive' : 'work_stopped' }, alive ? 200 : 503, headers);
  });
  app.get('/ready', async (context) => {
    const { ready, store } = await opened.checkout.status();
    const status = ready ? 'ready' : store === null ? 'store_unreachable' : 'work_stopped';
    return context.json({ status, oldestDueAt: store?.oldestDueAt ?? null }, ready ? 200 : 503, headers);
  });
}
