import type { CreatePaymentLink, CreatePayin, CreatePayout } from '../../contract/service/requests.js';
import type { KeyLookup } from '../../contract/service/resources.js';
import { createContext, type EngineOptions } from './context.js';
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
import type { WebhookTarget } from './webhooks.js';

export type Engine = ReturnType<typeof createEngine>;

/**
 * The payment service itself, in memory. This room holds its rules: what is created, how it settles, which scenarios
 * apply, when webhooks go out. It knows no HTTP request and no HTML, and all its time comes from a clock.
 */
export function createEngine(options: EngineOptions = {}) {
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
    /** How records are shown on the wire. */
    view: context.view,
    /** Whose account it is. */
    merchant: context.merchant,
    /** Counts every change, so that a page knows whether it is up to date. */
    get revision(): number {
      return context.revision();
    },
    /** Where the pages are reached; may be set once the port is known. */
    get publicUrl(): string {
      return context.view.publicUrl;
    },
    set publicUrl(url) {
      context.view.publicUrl = url;
    },

    // What the service's API does.
    createPayin: (input: CreatePayin): PayinRecord => createPayin(context, input),
    createPayout: (input: CreatePayout): PayoutRecord => createPayout(context, input),
    createLink: (input: CreatePaymentLink): LinkRecord => createLink(context, input),
    lookupKey(keyString: string): KeyLookup {
      const kind = keyKind(keyString);
      if (!kind) throw new EngineError('key_malformed');
      const receiver = lookUpReceiver(keyString, kind);
      if (!receiver) throw new EngineError('key_unknown');
      context.lookedUpKeys.add(keyString);
      return receiver;
    },
    /** The payin as a read shows it, which may lag; undefined when unknown. */
    readPayin(id: string): PayinRecord | undefined {
      const payin = payins.get(id);
      return payin && asShown(context, payin);
    },
    readLink: (id: string): LinkRecord | undefined => currentLink(context, id),
    /** Newest first, as a list shows them. Undefined when the cursor is not one of ours. */
    listPayins: (query: PageQuery): RecordPage | undefined => listPayins(context, query),

    // What is true now, newest first, for the pages.
    get payins(): readonly PayinRecord[] {
      return payins.newestFirst();
    },
    get payouts(): readonly PayoutRecord[] {
      return payouts.newestFirst();
    },
    get links(): readonly LinkRecord[] {
      return links.newestFirst().map((link) => currentLink(context, link.id) ?? link);
    },
    get events(): readonly EventRecord[] {
      return context.events.newestFirst();
    },
    get deliveries(): readonly DeliveryRecord[] {
      return context.deliveries.newestFirst();
    },
    find,

    // What the payer does on the pages.
    /** The payin behind a bank page's token. From the first visit on the payer decides, not a timer. */
    visitBank(bankToken: string): PayinRecord | undefined {
      const payin = context.payinOfBank(bankToken);
      return payin && takeOver(context, payin);
    },
    /** The same for a checkout page; undefined when the token does not fit. */
    visitCheckout(payinId: string, checkoutToken: string): PayinRecord | undefined {
      const payin = payins.get(payinId);
      return payin?.checkoutToken === checkoutToken ? takeOver(context, payin) : undefined;
    },
    /** The payer's decision at the bank or in the bank's app. Scenarios apply. */
    decide: (payinId: string, outcome: Outcome): PayinRecord | PayoutRecord =>
      decide(context, payinId, outcome),
    /** Starts a payin for a link; it fires no `payin.*` event. */
    payLink(linkId: string, payment: LinkPayment): PayinRecord {
      const link = currentLink(context, linkId);
      if (!link) throw new EngineError('not_found');
      return payLink(context, link, payment);
    },

    // What the control page and API do: at once, whatever the scenarios say about timing.
    settle: (
      id: string,
      outcome: Outcome,
      { confirmedAmountInCents }: { readonly confirmedAmountInCents?: number | undefined } = {},
    ): PayinRecord | PayoutRecord => settle(context, id, outcome, confirmedAmountInCents),
    expireLink: (linkId: string): LinkRecord => expireLink(context, linkId),
    moveSettlement: (payinId: string, status: SettlementStatus): PayinRecord =>
      moveSettlement(context, payinId, status),
    chargeBack: (payinId: string): PayinRecord => chargeBack(context, payinId),
    resend(deliveryId: string): DeliveryRecord {
      const delivery = context.webhooks.resend(deliveryId);
      if (!delivery) throw new EngineError('not_found');
      return delivery;
    },

    get mishaps(): MishapState {
      return mishaps.state();
    },
    setMishap: mishaps.set,
    armMishap: mishaps.arm,
    setMishapFor(id: string, name: ScenarioName, on: boolean): ResourceRecord {
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
    /** Whether the creation that is about to happen fails first; uses up what was armed for it. */
    failsBeforeWork: () => mishaps.use('error-before-work'),

    subscribe: context.subscribe,
    get webhooks(): readonly WebhookTarget[] {
      return context.webhooks.targets();
    },
    setWebhooks: context.webhooks.setTargets,
    /** Forgets every payment, event and mishap, as if it had just been started; addresses of webhooks stay. */
    reset: context.reset,
    idle: context.webhooks.idle,
    /** Everything, as JSON; give it back as the option `snapshot`. */
    snapshot: (): unknown => context.snapshot(),
    close: context.close,
  };
}
