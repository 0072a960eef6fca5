import type { LogDelivery, LogEvent } from '../../contract/merchant/console.js';
import type { Checkout } from '../../server/checkout.js';
import { maskKey } from '../../server/orders/masks.js';
import { ConsoleProblemError } from './problem.js';

/** What the sandbox keeps of its webhooks, through its control API, each with what it is about. */

const MOST_EVENTS = 100;

/** The part of the control API's state that is used here. */
interface ControlState {
  readonly events: readonly {
    readonly id: string;
    readonly event: string;
    readonly resourceId: string;
    readonly body: string;
    readonly forged: boolean;
    readonly createdAtMs: number;
  }[];
  readonly deliveries: readonly {
    readonly id: string;
    readonly eventId: string;
    readonly url: string;
    readonly state: LogDelivery['state'];
    readonly nextAttemptAtMs: number | null;
    readonly attempts: readonly {
      readonly atMs: number;
      readonly status: number | null;
      readonly error: 'timeout' | 'unreachable' | null;
    }[];
  }[];
}

/** The sandbox that plays the service. */
export interface SandboxOption {
  /** Where this program reaches it. */
  readonly url: string;
  /** Where the reader's browser reaches it; `url` when absent. */
  readonly publicUrl?: string;
  /** The platform's `fetch` when absent. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

type Subject = Pick<LogEvent, 'subject' | 'order'>;

export function eventLog({ url, fetch = globalThis.fetch }: SandboxOption, checkout: Checkout) {
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(new Request(`${url}/_/${path}`, init)).catch(() => null);
    if (response?.status === 404) throw new ConsoleProblemError('not_found');
    if (!response?.ok) throw new ConsoleProblemError('service_away');
    return response.json();
  };
  const post = (path: string, body: object) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const state = async () => (await ask('api/state')) as ControlState;

  return {
    /** Moves with every change at the sandbox. */
    async revision(signal: AbortSignal): Promise<number> {
      return ((await ask('revision', { signal })) as { revision: number }).revision;
    },

    /** Newest first; with ids, only what is about those payins, payouts and links. */
    async events(about?: readonly string[]): Promise<LogEvent[]> {
      const { events, deliveries } = await state();
      const wanted = events
        .filter(({ resourceId }) => about === undefined || about.includes(resourceId))
        .slice(0, MOST_EVENTS);
      const subjects = new Map<string, Promise<Subject>>();
      for (const event of wanted) {
        if (!subjects.has(event.resourceId)) subjects.set(event.resourceId, subjectOf(checkout, event));
      }
      return Promise.all(
        wanted.map(async (event) => ({
          ...((await subjects.get(event.resourceId)) ?? { subject: null, order: null }),
          id: event.id,
          event: event.event,
          resourceId: event.resourceId,
          reference: referenceIn(event.body),
          forged: event.forged,
          at: iso(event.createdAtMs),
          body: withoutKey(event.body),
          deliveries: deliveries
            .filter(({ eventId }) => eventId === event.id)
            .map((delivery) => ({
              id: delivery.id,
              url: delivery.url,
              state: delivery.state,
              nextAttemptAt: delivery.nextAttemptAtMs === null ? null : iso(delivery.nextAttemptAtMs),
              attempts: delivery.attempts.map(({ atMs, status, error }) => ({
                at: iso(atMs),
                status,
                error,
              })),
            })),
        })),
      );
    },

    async resend(deliveryId: string): Promise<void> {
      await post(`api/deliveries/${encodeURIComponent(deliveryId)}/resend`, {});
    },
  };
}

/** Where the console shows what an event is about. Payouts and links of other programs have no page here. */
async function subjectOf(
  checkout: Checkout,
  { event, resourceId: id }: Pick<LogEvent, 'event' | 'resourceId'>,
): Promise<Subject> {
  const order = (await checkout.orders.find(id)) ?? null;
  const about = (section: NonNullable<LogEvent['subject']>['section']) => ({
    subject: { section, id },
    order,
  });
  const [resource] = event.split('.');
  if (resource === 'payin') return about('payins');
  if (resource === 'payout' && (await checkout.payouts.find(id)) !== undefined) return about('payouts');
  if (resource === 'paymentlink' && order !== null) return about('links');
  return { subject: null, order };
}

const iso = (atMs: number) => new Date(atMs).toISOString();

/** A payout's event repeats the receiver's key, which may be their phone or document. */
function withoutKey(body: string): string {
  const event = JSON.parse(body) as { resource?: unknown; data?: { sourceData?: { keyString?: unknown } } };
  const source = event.data?.sourceData;
  if (event.resource !== 'payout' || typeof source?.keyString !== 'string') return body;
  source.keyString = maskKey(source.keyString);
  return JSON.stringify(event);
}

function referenceIn(body: string): string | null {
  const { data } = Object(JSON.parse(body)) as { data?: { reference?: unknown } };
  return typeof data?.reference === 'string' ? data.reference : null;
}
