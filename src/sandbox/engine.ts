import type { CreatePaymentLink, CreatePayin, CreatePayout } from '../contract/service-requests.js';
import type { InlineCustomer, KeyLookup, KeyType, PersonType } from '../contract/service-resources.js';
import type { Clock } from './clock.js';
import type { ScenarioName } from './scenarios.js';
import type {
  DeliveryRecord,
  LinkRecord,
  Outcome,
  PayinRecord,
  PayoutRecord,
  ResourceRecord,
  SettlementStatus,
} from './state.js';

/** Why the sandbox would not do something; the HTTP layer turns it into a status. */
export type EngineRefusal =
  | 'not_found'
  | 'reference_taken'
  | 'already_final'
  | 'not_confirmed'
  | 'link_not_payable'
  | 'rail_not_allowed'
  | 'key_unknown'
  | 'key_not_looked_up';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineRefusal;
  constructor(code: EngineRefusal) {
    super(code);
    this.code = code;
  }
}

export interface WebhookTarget {
  readonly url: string;
  readonly headerName: string;
  readonly headerValue: string;
}

export interface EngineOptions {
  readonly clock?: Clock;
  /** Same seed, same clock, same calls: same ids, keys and tokens. Random when absent. */
  readonly seed?: number;
  /** Where the sandbox's pages are reached, without a trailing slash. */
  readonly publicUrl?: string;
  readonly webhooks?: readonly WebhookTarget[];
  /** How webhooks are sent; the platform's fetch when absent. */
  readonly send?: (request: Request) => Promise<Response>;
}

/** What a payer gives on the hosted page of a link. */
export type LinkPayment =
  | { readonly rail: 'BRE_B'; readonly keyType: KeyType; readonly inlineCustomer?: InlineCustomer }
  | {
      readonly rail: 'PSE';
      readonly bank: string;
      readonly personType: PersonType;
      readonly inlineCustomer?: InlineCustomer;
    };

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

export interface RecordPage {
  readonly data: readonly PayinRecord[];
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
}

export interface EngineChange {
  readonly kind: ResourceRecord['kind'] | 'delivery' | 'mishaps';
  /** The record that changed; null for the switches. */
  readonly id: string | null;
  readonly revision: number;
}

export interface MishapState {
  readonly everywhere: readonly ScenarioName[];
  /** How many of the next creations each scenario still waits for. */
  readonly armed: Readonly<Partial<Record<ScenarioName, number>>>;
}

export interface Engine {
  readonly clock: Clock;
  /** Counts every change; a page that saw this number has seen everything. */
  readonly revision: number;
  publicUrl: string;

  // What the service's API does.
  createPayin(input: CreatePayin): PayinRecord;
  createPayout(input: CreatePayout): PayoutRecord;
  createLink(input: CreatePaymentLink): LinkRecord;
  lookupKey(keyString: string): KeyLookup;
  /** The payin as a read shows it (which may lag); undefined when unknown. */
  readPayin(id: string): PayinRecord | undefined;
  readLink(id: string): LinkRecord | undefined;
  /** Newest first, as a list shows them. Undefined when the cursor is not one of ours. */
  listPayins(query: PageQuery): RecordPage | undefined;

  // What is true now, for the pages. Newest first.
  readonly payins: readonly PayinRecord[];
  readonly payouts: readonly PayoutRecord[];
  readonly links: readonly LinkRecord[];
  readonly deliveries: readonly DeliveryRecord[];
  find(id: string): ResourceRecord | undefined;

  // What the payer does on the pages.
  /** The payin behind a bank page's token; opening the page puts the outcome into the payer's hands. */
  visitBank(bankToken: string): PayinRecord | undefined;
  /** The payin behind a checkout page's address; undefined when the token does not fit. */
  visitCheckout(payinId: string, checkoutToken: string): PayinRecord | undefined;
  /** The payer's decision at the bank or in the bank's app. Scenarios apply. */
  decide(payinId: string, outcome: Outcome): PayinRecord;
  /** Starts a payin for a link; it fires no `payin.*` event. */
  payLink(linkId: string, payment: LinkPayment): PayinRecord;

  // What the control page and API do: at once, whatever the scenarios say about timing.
  settle(
    id: string,
    outcome: Outcome,
    options?: { readonly confirmedAmountInCents?: number },
  ): PayinRecord | PayoutRecord;
  expireLink(linkId: string): LinkRecord;
  moveSettlement(payinId: string, status: SettlementStatus): PayinRecord;
  chargeBack(payinId: string): PayinRecord;
  resend(deliveryId: string): DeliveryRecord;

  // Mishaps.
  readonly mishaps: MishapState;
  setMishap(name: ScenarioName, on: boolean): void;
  /** The next `count` creations each carry the scenario; zero disarms it. */
  armMishap(name: ScenarioName, count: number): void;
  setMishapFor(id: string, name: ScenarioName, on: boolean): ResourceRecord;

  subscribe(listener: (change: EngineChange) => void): () => void;
  setWebhooks(targets: readonly WebhookTarget[]): void;
  /** Resolves when no webhook is being sent right now. */
  idle(): Promise<void>;
  /** Everything, as JSON; give it back as the option `snapshot`. */
  snapshot(): unknown;
  /** Stops every timer. */
  close(): void;
}

export function createEngine(_options: EngineOptions = {}): Engine {
  throw new Error('The engine is being written');
}
