import { EDGE_FAULTS } from './edge-faults.js';
import { MONEY_FAULTS } from './money-faults.js';
import type { Plant } from './wrapped-kit.js';

/**
 * What is put around the kit in turn to make it wrong, and the checks that must find it, and no other check. Payments
 * are played out where a check needs it. A level that is left out does not promise what the fault breaks.
 */
export const FAULTS = { ...EDGE_FAULTS, ...MONEY_FAULTS } satisfies Record<string, Plant>;

interface PlantedFault {
  readonly fault: keyof typeof FAULTS;
  readonly full?: readonly string[];
  readonly basic?: readonly string[];
  /** Its page has another origin. */
  readonly isElsewhere?: true;
}

type Name = keyof typeof FAULTS;

/** A fault that both levels find by the same checks. */
const both = (fault: Name, ...ids: string[]): PlantedFault => ({ fault, full: ids, basic: ids });
const full = (fault: Name, ...ids: string[]): PlantedFault => ({ fault, full: ids });
const elsewhere = (fault: Name, ...ids: string[]): PlantedFault => ({
  ...both(fault, ...ids),
  isElsewhere: true,
});

/** The same, where the play of two payments fails too: only Full knows of duplicates. */
const money = (fault: Name, ...ids: string[]): PlantedFault => ({
  fault,
  full: [...ids, 'play-duplicate'],
  basic: ids,
});

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  both('ignores the signature of tokens', 'order-token'),
  both('sells orders that do not exist', 'unknown-order', 'order-token'),
  both('takes posts from any site', 'foreign-origin'),
  both('compares origins by how they begin', 'foreign-origin'),
  both('takes text for JSON', 'content-type'),
  both('shows another payer’s payin for an unknown id', 'unknown-id'),
  full('counts its payins', 'ids'),
  full('sends payers anywhere', 'return-url'),
  full('compares return addresses by how they begin', 'return-url'),
  both('takes the price from the browser', 'no-amount'),
  { fault: 'writes pesos where cents belong', full: ['price', 'service-amount'], basic: ['service-amount'] },
  full('asks for less than the offer says', 'price'),
  both('asks the service for another amount', 'service-amount'),
  both('writes amounts as text', 'create'),
  both('changes the amount later', 'status'),
  full('keeps its price while a payin is open', 'price-raised'),
  {
    fault: 'forgets idempotency keys',
    full: ['idempotency-mismatch', 'idempotency-order'],
    basic: ['idempotency', 'service-once'],
  },
  both('makes two payins of two requests at once', 'idempotency', 'service-once'),
  both('needs no idempotency key', 'key-required'),
  full('takes a key for another request', 'idempotency-mismatch'),
  both('takes a key for another order', 'idempotency-order'),
  full('keeps keys by order', 'idempotency-order'),
  both('answers 200 for 201', 'create'),
  both('fails at a broken body', 'body-checked'),
  full('leaves the return id out', 'return-id'),
  both('adds a second return id', 'return-id'),
  both('leaves the reference out', 'create'),
  full('opens a second payin for a second tab', 'one-attempt'),
  full('replaces any payin', 'replace'),
  full('leaves the open payin out of the offer', 'resume'),
  full('takes old offers', 'offer-changed'),
  full('never changes the version', 'version', 'play-paid'),
  full('changes the version at every read', 'waiting'),
  full('claims to have waited', 'waiting'),
  both('shows the payer’s data', 'private'),
  both('shows the payer’s data with PSE only', 'private'),
  both('shows the organization', 'private'),
  both('lets answers be cached', 'headers'),
  both('calls JSON a page', 'headers'),
  { fault: 'refuses in its own format', full: ['unknown-order', 'order-token', 'errors'], basic: ['errors'] },
  both('refuses with another status', 'errors'),
  both('refuses with names of its own', 'errors'),
  both('takes events from anyone', 'webhook-header'),
  both('refuses events it does not know', 'webhook-event'),
  both('fails at an unreadable event', 'webhook-unreadable'),
  both('believes events', 'webhook-forged'),
  money('ships at every event', 'play-paid', 'play-late', 'play-underpaid'),
  full('ships before it claims', 'play-paid', 'play-late'),
  elsewhere('asks for credentials before a preflight', 'cors-preflight'),
  elsewhere('forgets the key among allowed headers', 'cors-preflight'),
  elsewhere('lets pages read only what went well', 'cors-answers'),
  elsewhere('repeats any origin with cookies', 'cors-strangers'),
  both('takes an unknown status for paid', 'play-unknown-status'),
  full('calls half the price paid', 'play-underpaid'),
  money('ships whatever is confirmed', 'play-underpaid'),
  money('asks no person about money that does not fit', 'play-underpaid'),
  both('hides what was confirmed', 'play-underpaid'),
  both('takes declined for the end', 'play-late'),
  both('learns by events alone', 'play-declined', 'play-unknown-status'),
  full('sells a paid order again', 'play-paid'),
  full('forgets payins that were replaced', 'play-duplicate'),
  full('says nothing of a second payment', 'play-duplicate'),
  money(
    'forgets what the shop did not take',
    'play-paid',
    'play-late',
    'play-underpaid',
    'play-unknown-status',
  ),
  money('never tells the shop', 'play-paid', 'play-late', 'play-underpaid', 'play-unknown-status'),
];
