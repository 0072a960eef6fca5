/** A worker with a schedule: work that must outlive an answer is handed to `waitUntil`, the rest is done by ticks. */
import type { Checkout, ExecutionContextLike } from 'pay-checkout/server';
import { makeCheckout } from './checkout.js';

let checkout: Checkout | undefined;

export default {
  fetch(request: Request, env: Record<string, string>, context: ExecutionContextLike): Promise<Response> {
    checkout ??= makeCheckout(env);
    return checkout.fetch(request, env, context);
  },
  async scheduled(_event: unknown, env: Record<string, string>): Promise<void> {
    checkout ??= makeCheckout(env);
    await checkout.tick();
  },
};
