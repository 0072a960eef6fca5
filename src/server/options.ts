import type { BrebApp } from '../contract/offer.js';
import type { Bank } from '../contract/payer/banks.js';
import type { KeyType, Rail } from '../contract/kinds.js';
import type { InlineCustomer } from '../contract/service/resources.js';
import type { ServiceClient } from '../service/client.js';
import type { Clock } from '../service/clock.js';
import type { VerifyWebhookOptions } from '../service/webhook.js';
import type { Hooks } from './hooks.js';
import type { Log, Metrics } from './log/log.js';
import type { Store } from './stores/store.js';

/** What the kit needs of the service client. */
export type CheckoutService = Pick<
  ServiceClient,
  'payins' | 'payouts' | 'keys' | 'paymentLinks' | 'findPayinByReference'
>;

export interface BrebMethodOption {
  readonly rail: 'BRE_B';
  /** `QR_CODE` when absent: the key and a QR. */
  readonly keyType?: KeyType;
  /** Asks the payer for name, document, phone and e-mail. Bre-B does not need them. */
  readonly requiresCustomer?: boolean;
  /**
   * Above it payers are warned that their bank may refuse, and another method is preselected; null for no ceiling. When
   * absent, the network's 1,000 UVB of 2025: COP 11,552,000. The Ministry of Finance sets the UVB of each year.
   */
  readonly ceilingInCents?: number | null;
  /**
   * The apps that most of your payers have, shown on a phone: choosing one copies the key, opens its `url` where it has
   * one, and says the `path` to Bre-B in it. `BREB_APPS` of `pay-checkout/service` has those whose path was published.
   */
  readonly apps?: readonly BrebApp[];
}

export interface PseMethodOption {
  readonly rail: 'PSE';
  /**
   * The banks to choose from; all that the package knows when absent (`PSE_BANKS`, whose sources are beside it). Those
   * with a `first` are listed in that order, the others A to Z after them.
   */
  readonly banks?: readonly Bank[];
}

export interface LinkMethodOption {
  readonly kind: 'PAYMENT_LINK';
  /** Restricts the hosted page to one rail. */
  readonly rail?: Rail;
  /** Preselects a bank on the hosted page; only with rail PSE. */
  readonly bank?: string;
}

export type MethodOption = BrebMethodOption | PseMethodOption | LinkMethodOption;

/** An order as the merchant's own system knows it. */
export interface MerchantOrder {
  readonly amountInCents: number;
  /** Only pesos so far. */
  readonly currency?: 'COP';
  readonly description?: string | null;
  /** What is known of the payer: merged on the server, shown to the browser only masked. */
  readonly customer?: Partial<InlineCustomer>;
  /** When this order's methods differ from the checkout's. */
  readonly methods?: readonly MethodOption[];
}

export interface MerchantOption {
  readonly name: string;
  readonly taxId?: string | null;
  readonly supportEmail?: string | null;
  readonly supportPhone?: string | null;
  /** A WhatsApp number, with its country's code unless it is a Colombian mobile. */
  readonly supportWhatsapp?: string;
  /** The receiver's name as the payer's bank will show it. */
  readonly payeeName?: string | null;
  /** Your data policy: linked to where the payer gives personal data (Ley 1581). */
  readonly privacyUrl?: string;
  /** The terms of the sale, linked to beside it. */
  readonly termsUrl?: string;
}

/** Instances share `createsPerClient`, and each counts the others for itself. */
export interface RateLimits {
  /** Attempts to create, per order and minute. */
  readonly createsPerOrder: number;
  /** Attempts to create, per client and minute. */
  readonly createsPerClient: number;
  /** Attempts to create, in all and per second. */
  readonly createsOverall: number;
  /** Offers, per client and minute. */
  readonly offersPerClient: number;
  /** Requests that prove no order, per client and minute. */
  readonly refusedPerClient: number;
  /** Status reads, per attempt and ten seconds. */
  readonly readsPerAttempt: number;
}

export interface CheckoutOptions extends Hooks {
  /** `createServiceClient(...)`. */
  readonly service: CheckoutService;
  /** `memoryStore()`, `sqliteStore(db)` or `postgresStore(port)`. */
  readonly store: Store;
  /** Who is paid, as receipts show it. */
  readonly merchant: MerchantOption;
  /** The order behind an id, or null when it does not exist or can no longer be paid. */
  readonly findOrder: (
    orderId: string,
  ) => MerchantOrder | null | undefined | Promise<MerchantOrder | null | undefined>;

  /** Signs order tokens (`checkout.orderToken(id)`): 32 characters or more. Of several the first signs, all verify. */
  readonly orderSecret?: string | readonly string[];
  /** How long an order token is valid, by its day of issue; null for ever. 30 days when absent. */
  readonly orderTokenLifetimeMs?: number | null;
  /** Decides by the request (a session, say) whether it may see and pay the order. */
  readonly authorize?: (request: Request, order: string) => boolean | Promise<boolean>;

  /** The static header set up at the service. `false`: no webhooks, reads only. */
  readonly webhook: VerifyWebhookOptions | false;

  /** Where browsers reach this checkout, as they see it from outside of any proxy. */
  readonly publicUrl?: string;
  /** The path it is mounted under, as requests arrive here; none when absent. */
  readonly basePath?: string;
  /** Other origins whose pages may use it, exactly as browsers send them: `https://shop.example`. */
  readonly allowedOrigins?: readonly string[];
  /** Where payers may be sent back to: origins or addresses that stand for everything below them. */
  readonly allowedReturnUrls?: readonly string[];

  /** Offered in this order; Bre-B with a QR and PSE when absent. */
  readonly methods?: readonly MethodOption[];
  /** How long an attempt is shown as payable; null for ever. Bre-B 15 minutes, PSE null when absent. */
  readonly payinLifetimeMs?: Readonly<Partial<Record<Rail, number | null>>>;
  readonly maxAttempts?: number;
  /** Whether a payer may declare not to have authorised a PSE payment and go on; true when absent. */
  readonly allowPseOverride?: boolean;

  readonly rateLimits?: Partial<RateLimits>;
  /**
   * How many proxies stand in front, each of which appends to `X-Forwarded-For`. 0 when absent: the client is the
   * peer's address where the Node adapter gives it, and no forwarding header counts.
   */
  readonly trustedProxies?: number;
  /** The client's address for rate limits, instead of `trustedProxies`. */
  readonly clientAddress?: (request: Request, env: unknown) => string | undefined;
  /** Reads from the service per second and instance, over all payments. */
  readonly serviceReadsPerSecond?: number;
  /** Answers held open at once; further ones are answered right away. */
  readonly maxWaiters?: number;
  /** How long a confirmed payin is read once a day for a chargeback. 120 days with `onChargeback`, else none. */
  readonly chargebackWatchMs?: number;
  /** Finished orders that have not changed for this long are forgotten. One year when absent. */
  readonly retentionMs?: number;
  /** How long one run of a hook may take before it counts as failed. */
  readonly hookTimeoutMs?: number;
  /** How long the service may take to answer a creation. */
  readonly createTimeoutMs?: number;

  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
}
