import type { Clock } from '../../service/clock.js';
import type { Jobs } from './jobs.js';
import type { Random } from './random.js';
import type { Table } from './table.js';
import type { ScenarioName } from './scenarios.js';
import type { DeliveryAttempt, DeliveryRecord, EventRecord, ResourceRecord } from './state.js';
import type { Timings } from './timings.js';

/** Where events go. The static header is all the authenticity the service offers. */
export interface WebhookTarget {
  readonly url: string;
  readonly headerName: string;
  readonly headerValue: string;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

export interface WebhookParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly jobs: Jobs;
  readonly events: Table<EventRecord>;
  readonly deliveries: Table<DeliveryRecord>;
  readonly timings: Timings;
  readonly send: (request: Request) => Promise<Response>;
  applies(name: ScenarioName, record: ResourceRecord): boolean;
}

const WRONG_HEADER_VALUE = 'not-the-secret';

export function createWebhooks(parts: WebhookParts) {
  const { clock, random, jobs, events, deliveries, timings } = parts;
  const sending = new Set<Promise<void>>();
  const inFlight = new Set<AbortController>();
  let closed = false;
  let targets: readonly WebhookTarget[] = [];

  const record = (event: string, about: ResourceRecord, data: object, forged: boolean): EventRecord =>
    events.put({
      kind: 'event',
      id: random.uuid(),
      sequence: events.nextSequence(),
      event,
      resourceId: about.id,
      body: JSON.stringify({ event, resource: RESOURCE_NAMES[about.kind], data }),
      forged,
      createdAtMs: clock.now(),
    });

  const startDelivery = (event: EventRecord, url: string, dueAtMs: number | null, trueHeader = true) => {
    const delivery = deliveries.put({
      kind: 'delivery',
      id: random.uuid(),
      sequence: deliveries.nextSequence(),
      eventId: event.id,
      event: event.event,
      resourceId: event.resourceId,
      url,
      trueHeader,
      state: dueAtMs === null ? 'LOST' : 'WAITING',
      createdAtMs: clock.now(),
      nextAttemptAtMs: dueAtMs,
      attempts: [],
    });
    if (dueAtMs !== null) jobs.schedule({ kind: 'deliver', deliveryId: delivery.id }, dueAtMs);
  };

  const reschedule = (delivery: DeliveryRecord, dueAtMs: number) => {
    jobs.schedule({ kind: 'deliver', deliveryId: delivery.id }, dueAtMs);
    return deliveries.put({ ...delivery, state: 'WAITING', nextAttemptAtMs: dueAtMs });
  };

  /** When an event that may be overtaken is sent: at once if it is the one that overtakes. */
  const reorderedDueAtMs = (about: ResourceRecord, url: string): number => {
    const overtaken = deliveries
      .oldestFirst()
      .filter(
        (other) =>
          other.resourceId === about.id &&
          other.url === url &&
          other.state === 'WAITING' &&
          other.attempts.length === 0,
      );
    for (const other of overtaken) reschedule(other, clock.now() + timings.webhookGapMs);
    return clock.now() + (overtaken.length > 0 ? 0 : timings.reorderWaitMs);
  };

  const finish = (delivery: DeliveryRecord, attempt: DeliveryAttempt) => {
    const attempts = [...delivery.attempts, attempt];
    const delivered = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
    const delayMs = timings.retryDelaysMs[delivery.attempts.length];
    const forged = events.get(delivery.eventId)?.forged ?? true;
    if (delivered) {
      deliveries.put({ ...delivery, attempts, state: 'DELIVERED', nextAttemptAtMs: null });
    } else if (delayMs === undefined || forged) {
      deliveries.put({ ...delivery, attempts, state: 'GIVEN_UP', nextAttemptAtMs: null });
    } else {
      reschedule({ ...delivery, attempts }, clock.now() + delayMs);
    }
  };

  const attempt = async (delivery: DeliveryRecord, event: EventRecord, target: WebhookTarget) => {
    const atMs = clock.now();
    const abort = new AbortController();
    inFlight.add(abort);
    const outcome = await new Promise<DeliveryAttempt>((resolve) => {
      const cancelTimer = clock.setTimer(timings.webhookTimeoutMs, () => {
        resolve({ atMs, status: null, error: 'timeout' });
        abort.abort();
      });
      parts
        .send(webhookRequest(target, event, delivery.trueHeader, abort.signal))
        .then(
          (response) => {
            resolve({ atMs, status: response.status, error: null });
            response.body?.cancel().catch(() => undefined);
          },
          () => resolve({ atMs, status: null, error: 'unreachable' }),
        )
        .finally(cancelTimer);
    });
    inFlight.delete(abort);
    // Nothing to note when the sandbox was closed, or emptied meanwhile.
    const known = deliveries.get(delivery.id);
    if (!closed && known) finish(known, outcome);
  };

  return {
    targets: () => targets,
    setTargets(next: readonly WebhookTarget[]): void {
      for (const target of next) checkTarget(target);
      targets = next;
    },
    emit(name: string, about: ResourceRecord, data: object): void {
      const event = record(name, about, data, false);
      for (const { url } of targets) {
        if (parts.applies('webhooks-lost', about)) {
          startDelivery(event, url, null);
          continue;
        }
        const slowMs = parts.applies('webhooks-slow', about) ? timings.slowWebhookMs : 0;
        const dueAtMs =
          slowMs + (parts.applies('webhooks-reordered', about) ? reorderedDueAtMs(about, url) : clock.now());
        startDelivery(event, url, dueAtMs);
        if (parts.applies('webhooks-duplicated', about))
          startDelivery(event, url, dueAtMs + timings.webhookGapMs);
      }
    },
    /** Sends a claim that nothing happened for, once. */
    forge(name: string, about: ResourceRecord, data: object, trueHeader: boolean): void {
      const event = record(name, about, data, true);
      for (const { url } of targets) startDelivery(event, url, clock.now(), trueHeader);
    },
    /** One attempt; schedules the next when it fails. */
    attempt(deliveryId: string): void {
      const delivery = deliveries.get(deliveryId);
      if (!delivery) return;
      const event = events.get(delivery.eventId);
      const target = targets.find(({ url }) => url === delivery.url);
      // The address is no longer configured, or the event left the log.
      if (!event || !target) {
        deliveries.put({ ...delivery, state: 'GIVEN_UP', nextAttemptAtMs: null });
        return;
      }
      const running = attempt(delivery, event, target).finally(() => sending.delete(running));
      sending.add(running);
    },
    /** Sends a delivery again now, whatever became of it; undefined when unknown. */
    resend(deliveryId: string): DeliveryRecord | undefined {
      const delivery = deliveries.get(deliveryId);
      return delivery && reschedule(delivery, clock.now());
    },
    /** Resolves when none is being sent right now. */
    async idle(): Promise<void> {
      while (sending.size > 0) await Promise.all(sending);
    },
    close(): void {
      closed = true;
      for (const abort of inFlight) abort.abort();
    },
  };
}

const RESOURCE_NAMES = { payin: 'payin', payout: 'payout', link: 'paymentlink' } as const;

function webhookRequest(
  target: WebhookTarget,
  event: EventRecord,
  trueHeader: boolean,
  signal: AbortSignal,
): Request {
  return new Request(target.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [target.headerName]: trueHeader ? target.headerValue : WRONG_HEADER_VALUE,
    },
    body: event.body,
    // A redirect is not an acknowledgement, and the secret goes to no other address.
    redirect: 'manual',
    signal,
  });
}

/** Fails at configuration, not at the first event. */
function checkTarget({ url, headerName, headerValue }: WebhookTarget): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError('A webhook address must be an absolute http(s) URL');
  }
  new Headers({ [headerName]: headerValue });
}
