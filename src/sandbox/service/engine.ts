import type { CreatePaymentLink, CreatePayin, CreatePayout } from '../../contract/service/requests.js';
import type { KeyLookup } from '../../contract/service/resources.js';
import type { Clock } from '../../service/clock.js';
import { createContext, type EngineChange, type EngineOptions } from './context.js';
import {
  createLink,
  createPayin,
  createPayout,
  type LinkPayment,
  payLink,
  scheduleOutcome,
} from './creation.js';
import { keyKind, lookUpReceiver } from './keys.js';
import { asShown, listPayins, type PageQuery, type RecordPage } from './listing.js';
import type { MishapState } from './mishap-switches.js';
import { EngineError } from './engine-error.js';
import { OUTCOME_SCENARIOS, type ScenarioName } from './scenarios.js';
import {
  chargeBack,
  currentLink,
  decide,
  expireLink,
  moveSettlement,
  settle,
  showPseUrl,
  takeOver,
} from './settlement.js';
import type {
  DeliveryRecord,
  EventRecord,
  Job,
  LinkRecord,
  Outcome,
  PayinRecord,
  PayoutRecord,
  ResourceRecord,
  SettlementStatus,
} from './state.js';
import type { Timings } from './timings.js';
import type { ViewContext } from './views.js';
import type { WebhookTarget } from './webhooks.js';

/**
 * The payment service itself, in memory. This room holds its rules: what is created, how it settles, which scenarios
 * apply, when webhooks go out. It knows no HTTP request and no HTML, and all its time comes from a clock.
 */
export interface Engine {
  readonly clock: Clock;
  readonly timings: Timings;
  /** Counts every change, so that a page knows whether it is up to date. */
  readonly revision: number;
  /** Where the pages are reached; may be set once the port is known. */
  publicUrl: string;
  /** Whose account it is. */
  readonly merchant: string;
  /** How records are shown on the wire. */
  readonly view: ViewContext;

  // What the service's API does.
  createPayin(input: CreatePayin): PayinRecord;
  createPayout(input: CreatePayout): PayoutRecord;
  createLink(input: CreatePaymentLink): LinkRecord;
  lookupKey(keyString: string): KeyLookup;
  /** The payin as a read shows it, which may lag; undefined when unknown. */
  readPayin(id: string): PayinRecord | undefined;
  readLink(id: string): LinkRecord | undefined;
  /** Newest first, as a list shows them. Undefined when the cursor is not one of ours. */
  listPayins(query: PageQuery): RecordPage | undefined;

  // What is true now, newest first, for the pages.
  readonly payins: readonly PayinRecord[];
  readonly payouts: readonly PayoutRecord[];
  readonly links: readonly LinkRecord[];
  readonly events: readonly EventRecord[];
  readonly deliveries: readonly DeliveryRecord[];
  find(id: string): ResourceRecord | undefined;

  // What the payer does on the pages.
  /** The payin behind a bank page's token. From the first visit on the payer decides, not a timer. */
  visitBank(bankToken: string): PayinRecord | undefined;
  /** The same for a checkout page; undefined when the token does not fit. */
  visitCheckout(payinId: string, checkoutToken: string): PayinRecord | undefined;
  /** The payer's decision at the bank or in the bank's app. Scenarios apply. */
  decide(payinId: string, outcome: Outcome): PayinRecord | PayoutRecord;
  /** Starts a payin for a link; it fires no `payin.*` event. */
  payLink(linkId: string, payment: LinkPayment): PayinRecord;

  // What the control page and API do: at once, whatever the scenarios say about timing.
  settle(
    id: string,
    outcome: Outcome,
    options?: { readonly confirmedAmountInCents?: number | undefined },
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
  /** Whether a scenario applies to a record, or, without one, to everything. */
  applies(name: ScenarioName, record?: ResourceRecord): boolean;
  /** Whether the creation that is about to happen fails first; uses up what was armed for it. */
  failsBeforeWork(): boolean;

  subscribe(listener: (change: EngineChange) => void): () => void;
  readonly webhooks: readonly WebhookTarget[];
  setWebhooks(targets: readonly WebhookTarget[]): void;
  /** Forgets every payment, event and mishap, as if it had just been started; addresses of webhooks stay. */
  reset(): void;
  /** Resolves when no webhook is being sent right now. */
  idle(): Promise<void>;
  /** Everything, as JSON; give it back as the option `snapshot`. */
  snapshot(): unknown;
  /** Stops every timer. */
  close(): void;
}

export function createEngine(options: EngineOptions = {}): Engine {
  const context = createContext(options, (job) => {
    try {
      run(job);
    } catch (error) {
      // The payment was settled in another way meanwhile.
      if (!(error instanceof EngineError)) throw error;
    }
  });
  const { payins, payouts, links, mishaps } = context;

  function run(job: Job): void {
    switch (job.kind) {
      case 'show-pse-url':
        return showPseUrl(context, job.payinId);
      case 'decide':
        return void decide(context, job.id, job.outcome);
      case 'settle':
        return void settle(context, job.id, job.outcome);
      case 'charge-back':
        return void chargeBack(context, job.payinId);
      case 'expire-link':
        return void expireLink(context, job.linkId);
      case 'deliver':
        return context.webhooks.attempt(job.deliveryId);
      default:
        return job satisfies never;
    }
  }

  const find = (id: string): ResourceRecord | undefined =>
    payins.get(id) ?? payouts.get(id) ?? currentLink(context, id);

  return {
    clock: context.clock,
    timings: context.timings,
    view: context.view,
    merchant: context.merchant,
    get revision() {
      return context.revision();
    },
    get publicUrl() {
      return context.view.publicUrl;
    },
    set publicUrl(url) {
      context.view.publicUrl = url;
    },

    createPayin: (input) => createPayin(context, input),
    createPayout: (input) => createPayout(context, input),
    createLink: (input) => createLink(context, input),
    lookupKey(keyString) {
      const kind = keyKind(keyString);
      if (!kind) throw new EngineError('key_malformed');
      const receiver = lookUpReceiver(keyString, kind);
      if (!receiver) throw new EngineError('key_unknown');
      context.lookedUpKeys.add(keyString);
      return receiver;
    },
    readPayin(id) {
      const payin = payins.get(id);
      return payin && asShown(context, payin);
    },
    readLink: (id) => currentLink(context, id),
    listPayins: (query) => listPayins(context, query),

    get payins() {
      return payins.newestFirst();
    },
    get payouts() {
      return payouts.newestFirst();
    },
    get links() {
      return links.newestFirst().map((link) => currentLink(context, link.id) ?? link);
    },
    get events() {
      return context.events.newestFirst();
    },
    get deliveries() {
      return context.deliveries.newestFirst();
    },
    find,

    visitBank(bankToken) {
      const payin = context.payinOfBank(bankToken);
      return payin && takeOver(context, payin);
    },
    visitCheckout(payinId, checkoutToken) {
      const payin = payins.get(payinId);
      return payin?.checkoutToken === checkoutToken ? takeOver(context, payin) : undefined;
    },
    decide: (payinId, outcome) => decide(context, payinId, outcome),
    payLink(linkId, payment) {
      const link = currentLink(context, linkId);
      if (!link) throw new EngineError('not_found');
      return payLink(context, link, payment);
    },

    settle: (id, outcome, { confirmedAmountInCents } = {}) =>
      settle(context, id, outcome, confirmedAmountInCents),
    expireLink: (linkId) => expireLink(context, linkId),
    moveSettlement: (payinId, status) => moveSettlement(context, payinId, status),
    chargeBack: (payinId) => chargeBack(context, payinId),
    resend(deliveryId) {
      const delivery = context.webhooks.resend(deliveryId);
      if (!delivery) throw new EngineError('not_found');
      return delivery;
    },

    get mishaps() {
      return mishaps.state();
    },
    setMishap: mishaps.set,
    armMishap: mishaps.arm,
    setMishapFor(id, name, on) {
      const record = find(id);
      if (!record) throw new EngineError('not_found');
      const others = record.mishaps.filter((other) => other !== name);
      const changed = { ...record, mishaps: on ? [...others, name] : others };
      if (changed.kind !== 'link' && name in OUTCOME_SCENARIOS) scheduleOutcome(context, changed);
      switch (changed.kind) {
        case 'payin':
          return payins.put(changed);
        case 'payout':
          return payouts.put(changed);
        case 'link':
          return links.put(changed);
        default:
          return changed satisfies never;
      }
    },
    applies: mishaps.applies,
    failsBeforeWork: () => mishaps.use('error-before-work'),

    subscribe: context.subscribe,
    get webhooks() {
      return context.webhooks.targets();
    },
    setWebhooks: context.webhooks.setTargets,
    reset: context.reset,
    idle: context.webhooks.idle,
    snapshot: context.snapshot,
    close: context.close,
  };
}
