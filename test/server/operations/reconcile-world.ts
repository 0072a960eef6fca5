import type { Checkout } from '../../../src/server.js';
import { asksForPayins, openWorld, type World, type WorldOptions } from '../world.js';

/** A comparison with the service in which no event arrived, so that there is something to find. */

let world: World | undefined;

/** To be called after each test. */
export async function close(): Promise<void> {
  await world?.close();
  world = undefined;
}

export const START = Date.parse('2026-01-15T15:00:00Z');
export const ALL_DAY = { from: new Date('2026-01-15T00:00:00Z'), to: new Date('2026-01-17T00:00:00Z') };
export const iso = (at: number) => new Date(at).toISOString();
const IDS = ['a', 'b', 'c', 'd', 'e'];

interface Listed {
  readonly id: string;
  readonly reference: string;
}
export type Page = { readonly data: readonly Listed[]; readonly pageInfo: object };

/** `show` is what the service's list shows instead of a page of it. */
export async function open(
  more: WorldOptions & { readonly show?: (page: Page, cursor: string | null) => Page } = {},
) {
  const { show = (page) => page, ...options } = more;
  const opened = await openWorld({
    orders: Object.fromEntries(IDS.map((id) => [id, { amountInCents: 500_000 }])),
    work: false,
    sandbox: { webhooks: [] },
    network: async (request, next) => {
      if (!asksForPayins(request)) return next(request);
      const { origin, searchParams } = new URL(request.url);
      if (more.show === undefined) return next(request);
      const whole = new Request(`${origin}/payins?pageSize=100`, request);
      return Response.json(show((await (await next(whole)).json()) as Page, searchParams.get('cursor')));
    },
    ...options,
  });
  world = opened;
  const [checkout] = opened.checkouts as [Checkout];
  return {
    ...opened,
    checkout,
    /** A payin that the store knows nothing of. */
    payinElsewhere: (reference: string, more: object = {}) =>
      opened.engine.createPayin({
        amountInCents: 70_000,
        currency: 'COP',
        rail: 'BRE_B',
        reference,
        breb: { keyType: 'QR_CODE' },
        ...more,
      }),
    results: async (options: Partial<Parameters<Checkout['reconcile']>[0]> = {}) => {
      const { payments } = await checkout.reconcile({ ...ALL_DAY, ...options });
      return payments.map(({ reference, result }) => [reference, result]);
    },
  };
}

export const NOTHING_OUT = { lines: [], outInCents: 0, openInCents: 0 };
