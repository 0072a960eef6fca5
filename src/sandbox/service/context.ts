import { read } from '../../contract/schema.js';
import type { Clock } from '../../service/clock.js';
import { realClock } from './clock.js';
import { createJobs, type Jobs } from './jobs.js';
import { createMishaps, type Mishaps } from './mishap-switches.js';
import { createRandom, type Random, randomState } from './random.js';
import { createTable, type Table } from './table.js';
import {
  type AnyRecord,
  type DeliveryRecord,
  type EventRecord,
  type Job,
  type LinkRecord,
  type PayinRecord,
  type PayoutRecord,
  type ResourceRecord,
  type Snapshot,
  SnapshotSchema,
} from './state.js';
import { DEFAULT_TIMINGS, type Timings } from './timings.js';
import { viewEventData, type ViewContext } from './views.js';
import { createWebhooks, type Webhooks, type WebhookTarget } from './webhooks.js';

/**
 * When an outcome comes without anyone clicking: `document` when the payin carries a document number, as the
 * service's own test environment does; `always` also without one; `never` leaves everything to the pages.
 */
export type AutoOutcome = 'document' | 'always' | 'never';

export interface EngineOptions {
  readonly clock?: Clock;
  /** Same seed, same clock, same calls: same ids, keys and tokens. Random when absent. */
  readonly seed?: number;
  /** Where the sandbox's pages are reached, without a trailing slash. */
  readonly publicUrl?: string;
  /** Whose account it is, by the name that payers read on its pages. */
  readonly merchant?: string;
  readonly webhooks?: readonly WebhookTarget[];
  /** How webhooks are sent; the platform's fetch when absent. */
  readonly send?: (request: Request) => Promise<Response>;
  readonly autoOutcome?: AutoOutcome;
  readonly timings?: Partial<Timings>;
  /** What an earlier `snapshot()` gave. */
  readonly snapshot?: unknown;
}

export interface EngineChange {
  readonly kind: AnyRecord['kind'] | 'mishaps';
  /** The record that changed; null for the switches. */
  readonly id: string | null;
  readonly revision: number;
}

/** What every operation of the engine works on. */
export interface EngineContext {
  readonly clock: Clock;
  readonly timings: Timings;
  readonly autoOutcome: AutoOutcome;
  readonly random: Random;
  readonly payins: Table<PayinRecord>;
  readonly payouts: Table<PayoutRecord>;
  readonly links: Table<LinkRecord>;
  readonly events: Table<EventRecord>;
  readonly deliveries: Table<DeliveryRecord>;
  readonly jobs: Jobs;
  readonly mishaps: Mishaps;
  readonly webhooks: Webhooks;
  readonly view: ViewContext & { publicUrl: string };
  readonly merchant: string;
  payinOfBank(bankToken: string): PayinRecord | undefined;
  /** References of payins that came through the API. */
  readonly references: Set<string>;
  readonly lookedUpKeys: Set<string>;
  revision(): number;
  subscribe(listener: (change: EngineChange) => void): () => void;
  /** Sends a webhook about the record. */
  notify(event: string, record: ResourceRecord): void;
  /** Forgets everything but its settings. */
  reset(): void;
  snapshot(): Snapshot;
  close(): void;
}

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';

  constructor() {
    super('This is not a snapshot of a sandbox of this version');
  }
}

/** The oldest leave the log, so that a long-running sandbox stays small. */
const MAX_EVENTS = 2_000;
const MAX_DELIVERIES = 4_000;

export function createContext(options: EngineOptions, run: (job: Job) => void): EngineContext {
  const clock = options.clock ?? realClock();
  const start = readSnapshot(options.snapshot);
  const random = createRandom(start?.random ?? randomState(options.seed));
  const organizationId = start?.organizationId ?? random.uuid();
  const listeners = new Set<(change: EngineChange) => void>();
  let revision = 0;

  const announce = (kind: EngineChange['kind'], id: string | null) => {
    revision += 1;
    for (const listener of listeners) listener({ kind, id, revision });
  };
  const changed = (record: AnyRecord) => announce(record.kind, record.id);
  const timings = { ...DEFAULT_TIMINGS, ...options.timings };
  const jobs = createJobs(clock, run);
  const mishaps = createMishaps(start?.mishaps ?? { everywhere: [], armed: {} }, () =>
    announce('mishaps', null),
  );
  const bankPages = new Map<string, string>();
  const payins = createTable<PayinRecord>(clock, (payin) => {
    if (payin.source.rail === 'PSE') bankPages.set(payin.source.bankToken, payin.id);
    changed(payin);
  });
  const payouts = createTable<PayoutRecord>(clock, changed);
  const links = createTable<LinkRecord>(clock, changed);
  const events = createTable<EventRecord>(clock, changed, MAX_EVENTS);
  const deliveries = createTable<DeliveryRecord>(clock, changed, MAX_DELIVERIES);
  const webhooks = createWebhooks({
    clock,
    random,
    jobs,
    events,
    deliveries,
    timings,
    send: options.send ?? ((request) => fetch(request)),
    applies: mishaps.applies,
  });
  webhooks.setTargets(options.webhooks ?? []);
  const view = {
    publicUrl: options.publicUrl ?? 'http://localhost:4010',
    organizationId,
    applies: mishaps.applies,
  };

  for (const record of start?.payins ?? []) payins.put(record);
  for (const record of start?.payouts ?? []) payouts.put(record);
  for (const record of start?.links ?? []) links.put(record);
  for (const record of start?.events ?? []) events.put(record);
  for (const record of start?.deliveries ?? []) deliveries.put(record);
  // Jobs that fell due while the sandbox was stopped run at once.
  for (const { job, dueAtMs } of start?.jobs ?? []) jobs.schedule(job, dueAtMs);
  const references = new Set(
    payins.oldestFirst().flatMap((payin) => (payin.paymentLinkId === null ? [payin.reference] : [])),
  );
  const lookedUpKeys = new Set(start?.lookedUpKeys);

  return {
    clock,
    timings,
    autoOutcome: options.autoOutcome ?? 'document',
    random,
    payins,
    payouts,
    links,
    events,
    deliveries,
    jobs,
    mishaps,
    webhooks,
    view,
    merchant: options.merchant ?? 'Comercio de pruebas',
    payinOfBank: (bankToken) => payins.get(bankPages.get(bankToken) ?? ''),
    references,
    lookedUpKeys,
    revision: () => revision,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify: (event, record) => webhooks.emit(event, record, viewEventData(record, view)),
    snapshot: () => ({
      version: 1,
      organizationId,
      random: random.state(),
      payins: payins.oldestFirst(),
      payouts: payouts.oldestFirst(),
      links: links.oldestFirst(),
      events: events.oldestFirst(),
      deliveries: deliveries.oldestFirst(),
      jobs: jobs.waiting(),
      lookedUpKeys: [...lookedUpKeys],
      mishaps: copyOf(mishaps.state()),
    }),
    reset() {
      jobs.close();
      for (const table of [payins, payouts, links, events, deliveries]) table.clear();
      for (const known of [bankPages, references, lookedUpKeys]) known.clear();
      mishaps.reset();
    },
    close() {
      jobs.close();
      webhooks.close();
      listeners.clear();
    },
  };
}

function readSnapshot(snapshot: unknown): Snapshot | undefined {
  if (snapshot === undefined) return undefined;
  const reading = read(SnapshotSchema, snapshot);
  if (!reading.ok) throw new SnapshotError();
  return reading.value;
}

function copyOf(state: ReturnType<Mishaps['state']>): Snapshot['mishaps'] {
  return { everywhere: [...state.everywhere], armed: { ...state.armed } };
}
