import { MAGIC_DOCUMENTS } from '../service/creation.js';
import type { Engine } from '../service/engine.js';
import type { MishapState } from '../service/mishap-switches.js';
import type { DeliveryRecord, Outcome } from '../service/state.js';
import type { WebhookTarget } from '../service/webhooks.js';
import { bankName } from '../../contract/payer/bank-list.js';
import { type ControlDetail, detailOf } from './control-detail.js';
import { maskedPath, type RequestLog, statusClass } from './request-log.js';
import type { Credentials } from './service-api.js';

/** What the control page shows, as JSON: one answer for one address of the page. */

export const CONTROL_SECTIONS = [
  'payins',
  'payouts',
  'links',
  'events',
  'requests',
  'mishaps',
  'connection',
] as const;
export type ControlSection = (typeof CONTROL_SECTIONS)[number];
export type ListSection = Exclude<ControlSection, 'mishaps' | 'connection'>;

/** What the control page reads and steers. */
export interface SandboxParts {
  readonly engine: Engine;
  readonly requests: RequestLog;
  readonly credentials: Credentials;
}

export interface ControlView {
  /** Changes whenever what this section shows does. */
  readonly revision: string;
  readonly now: string;
  readonly counts: Readonly<Record<Exclude<ControlSection, 'connection'>, number>>;
  readonly mishaps: MishapState;
  /** Null in a section that is no list. */
  readonly list: ControlList | null;
  /** What the address names as open; null when there is no such thing. */
  readonly detail: ControlDetail | null;
  /** Null in every other section. */
  readonly connection: ConnectionView | null;
}

export interface ControlList {
  readonly rows: readonly ControlRow[];
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
  /** How many the filter lets through, and how many there are. */
  readonly matching: number;
  readonly total: number;
}

export interface ControlRow {
  readonly id: string;
  readonly title: string;
  /** A status, the state of a delivery, or the number of an answer. */
  readonly state: string;
  /** Codes and names, in the order they are read. */
  readonly notes: readonly string[];
  readonly at: string;
  readonly amountInCents: number | null;
  /** Scenarios are bound to it alone. */
  readonly isMarked: boolean;
}

export interface ConnectionView extends Credentials {
  readonly baseUrl: string;
  readonly webhooks: readonly WebhookTarget[];
  /** Documents that decide an outcome; every other one confirms. */
  readonly documents: readonly (readonly [document: string, outcome: Outcome])[];
}

interface ControlQuery {
  readonly section: ControlSection;
  readonly search: string;
  readonly status: string;
  readonly page: number;
  readonly open: string;
}

const PAGE_SIZE = 50;

export function controlView(parts: SandboxParts, address: URLSearchParams): ControlView {
  const { engine, requests, credentials } = parts;
  const query = readQuery(address);
  const { section } = query;
  return {
    revision: controlRevision(parts, section),
    now: new Date(engine.clock.now()).toISOString(),
    counts: {
      payins: engine.payins.length,
      payouts: engine.payouts.length,
      links: engine.links.length,
      events: engine.events.length,
      requests: requests.entries.length,
      mishaps: new Set([...engine.mishaps.everywhere, ...Object.keys(engine.mishaps.armed)]).size,
    },
    mishaps: engine.mishaps,
    list: section === 'mishaps' || section === 'connection' ? null : listOf(parts, section, query),
    detail: query.open === '' ? null : detailOf(parts, query.open),
    connection:
      section === 'connection'
        ? {
            ...credentials,
            baseUrl: engine.publicUrl,
            webhooks: engine.webhooks,
            documents: [...MAGIC_DOCUMENTS],
          }
        : null,
  };
}

/** A new request changes only the page that lists requests. */
export function controlRevision({ engine, requests }: SandboxParts, section: string): string {
  return section === 'requests' ? `${engine.revision}.${requests.count}` : String(engine.revision);
}

function readQuery(address: URLSearchParams): ControlQuery {
  const text = (name: string) => (address.get(name) ?? '').trim().slice(0, 128);
  return {
    section: CONTROL_SECTIONS.find((name) => name === text('section')) ?? 'payins',
    search: text('q').toLowerCase(),
    status: text('status'),
    page: /^[1-9]\d{0,4}$/.test(text('page')) ? Number(text('page')) : 1,
    open: text('open'),
  };
}

/** A row, with what it is found and filtered by. */
interface Candidate {
  readonly atMs: number;
  readonly words: readonly string[];
  readonly states: readonly string[];
  readonly row: Omit<ControlRow, 'at'>;
}

function listOf(parts: SandboxParts, section: ListSection, query: ControlQuery): ControlList {
  const all = candidatesOf(parts, section);
  const matching = all.filter((each) => isAskedFor(each, query));
  const page = Math.min(query.page, Math.max(1, Math.ceil(matching.length / PAGE_SIZE)));
  return {
    rows: matching
      .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
      .map(({ atMs, row }) => ({ ...row, at: new Date(atMs).toISOString() })),
    page,
    pageSize: PAGE_SIZE,
    matching: matching.length,
    total: all.length,
  };
}

function isAskedFor({ words, states }: Candidate, { search, status }: ControlQuery): boolean {
  if (status !== '' && !states.includes(status)) return false;
  return search === '' || words.some((word) => word.toLowerCase().includes(search));
}

function candidatesOf({ engine, requests }: SandboxParts, section: ListSection): Candidate[] {
  switch (section) {
    case 'payins':
      return engine.payins.map((payin) => {
        const { id, reference, source, status } = payin;
        const method =
          source.rail === 'PSE' ? [source.rail, bankName(source.bank)] : [source.rail, source.keyType];
        const found = source.rail === 'PSE' ? source.bank : source.keyString;
        return {
          atMs: payin.createdAtMs,
          words: [id, reference, payin.paymentLinkId ?? '', ...method, found],
          states: [status],
          row: {
            id,
            title: reference,
            state: status,
            notes: [...method, ...(payin.chargebackAtMs === null ? [] : ['CHARGEBACK'])],
            amountInCents: payin.confirmedAmountInCents ?? payin.amountInCents,
            isMarked: payin.mishaps.length > 0,
          },
        };
      });
    case 'payouts':
    case 'links':
      return engine[section].map((record) => {
        const note = record.kind === 'payout' ? record.keyString : (record.rail ?? 'OPEN_LINK');
        return {
          atMs: record.createdAtMs,
          words: [record.id, record.reference, note],
          states: [record.status],
          row: {
            id: record.id,
            title: record.reference,
            state: record.status,
            notes: [note],
            amountInCents: record.amountInCents,
            isMarked: record.mishaps.length > 0,
          },
        };
      });
    case 'events': {
      const byEvent = byEventId(engine.deliveries);
      return engine.events.map(({ id, event, resourceId, forged, createdAtMs }) => {
        const deliveries = byEvent.get(id) ?? [];
        const worst = deliveries.find(({ state }) => state !== 'DELIVERED') ?? deliveries[0];
        const about = engine.find(resourceId);
        return {
          atMs: createdAtMs,
          words: [event, id, resourceId, ...deliveries.map(({ url }) => url)],
          states: deliveries.map(({ state }) => state),
          row: {
            id,
            title: event,
            state: forged ? 'FORGED' : (worst?.state ?? 'NOT_SENT'),
            notes: about ? [about.reference] : [],
            amountInCents: null,
            isMarked: false,
          },
        };
      });
    }
    case 'requests':
      return requests.entries.map(({ id, method, path, status, durationMs, createdAtMs }) => ({
        atMs: createdAtMs,
        words: [id, `${method} ${path}`, String(status)],
        states: [statusClass(status)],
        row: {
          id,
          title: `${method} ${maskedPath(path)}`,
          state: String(status),
          notes: [`${durationMs} ms`],
          amountInCents: null,
          isMarked: false,
        },
      }));
    default:
      return section satisfies never;
  }
}

function byEventId(deliveries: readonly DeliveryRecord[]): Map<string, DeliveryRecord[]> {
  const found = new Map<string, DeliveryRecord[]>();
  for (const delivery of deliveries) {
    const known = found.get(delivery.eventId);
    if (known) known.push(delivery);
    else found.set(delivery.eventId, [delivery]);
  }
  return found;
}
