import { ConsoleProblemError } from '../../../src/server.js';
import { maskKey } from './masks.js';
import type { LogDelivery, LogEvent } from '../../../src/console.js';

/** What the sandbox keeps of its webhooks, through its control API. */

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

export interface ControlApi {
  /** How requests reach the sandbox. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly serviceUrl: string;
}

export function openLog({ fetch, serviceUrl }: ControlApi) {
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(new Request(`${serviceUrl}/_/${path}`, init)).catch(() => null);
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

    /** Newest first; with an id, only what is about that payin, payout or link. */
    async events(about?: string): Promise<LogEvent[]> {
      const { events, deliveries } = await state();
      return events
        .filter(({ resourceId }) => about === undefined || resourceId === about)
        .slice(0, MOST_EVENTS)
        .map((event) => ({
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
        }));
    },

    async resend(deliveryId: string): Promise<void> {
      await post(`api/deliveries/${encodeURIComponent(deliveryId)}/resend`, {});
    },
  };
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
