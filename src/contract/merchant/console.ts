import type { PayoutView } from './payouts.js';
import type { OrderView } from './sales.js';
import type { CallStatus, StoreStatus } from './status.js';
import type { Rail } from '../kinds.js';

export type { Rail };

export const RAIL_NAMES = ['BRE_B', 'PSE'] as const satisfies readonly Rail[];

/** The JSON of the console's API. Personal data comes masked. */

export const LINK_FLOWS = ['open', 'restricted', 'bank', 'prefilled', 'restricted-prefilled'] as const;
/** The five ways to ask for a payment link that the interface describes. */
export type LinkFlow = (typeof LINK_FLOWS)[number];

export const PAYIN_FILTERS = ['OPEN', 'CONFIRMED', 'DECLINED', 'CANCELED'] as const;
export type PayinFilter = (typeof PAYIN_FILTERS)[number];

/** Every refusal of the console's backend. */
export type ConsoleProblem =
  | 'unauthenticated'
  | 'wrong_token'
  | 'too_many_sign_ins'
  | 'forbidden'
  | 'invalid_input'
  | 'not_found'
  | 'not_sendable'
  /** Nothing is missing of the order, or a payment of it is under way. */
  | 'not_payable'
  | 'too_many'
  | 'service_away'
  | 'failed';

/** Which field of a form is wrong, and how. */
export interface FieldFault {
  readonly field: string;
  readonly code: string;
}

export interface SessionView {
  /** Goes back with every change, in `x-console-csrf`. */
  readonly csrf: string;
  /** The merchant's. */
  readonly name: string;
  /** The shop's address. */
  readonly siteUrl?: string;
  /** Where payments are played and webhooks are shown, in a demonstration. */
  readonly sandboxUrl?: string;
}

/** How the checkout is doing. Times are ISO 8601 in UTC. */
export interface HealthView {
  readonly ready: boolean;
  /** Null when the database cannot be reached. */
  readonly store: StoreStatus | null;
  readonly workRunning: boolean;
  readonly lastRoundAt: string | null;
  readonly service: Readonly<Record<'creates' | 'reads', CallStatus>>;
}

/** A page of a list, the newest first: after how many it begins, and how many there are in all. */
export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly from: number;
  readonly pageSize: number;
  readonly total: number;
}

export interface PayinRow {
  readonly id: string;
  readonly reference: string;
  readonly rail: string;
  /** Null where the service left it out. */
  readonly amountInCents: number | null;
  readonly confirmedAmountInCents: number | null;
  readonly status: string;
  readonly createdAt: string;
  readonly fromLink: boolean;
}

export interface PayinPage {
  readonly rows: readonly PayinRow[];
  /** The service's cursor to older payins; null at the end. */
  readonly older: string | null;
  /** How many payins were looked at to find these. */
  readonly scanned: number;
}

/** What belongs to a payin besides the service's own data. */
export interface PayinReturns {
  /** The merchant's order that it paid, when the kit knows it. */
  readonly order: string | null;
  readonly returns: readonly PayoutView[];
  /** Whether the console can show the link it came through. */
  readonly hasLinkPage: boolean;
  /** What can still be given back; 0 when nothing was paid. */
  readonly returnableInCents: number;
}

export interface PayinDetail extends PayinRow {
  readonly settlementStatus: string | null;
  readonly errorCode: string | null;
  readonly updatedAt: string;
  readonly resultAt: string | null;
  readonly chargebackAt: string | null;
  readonly paymentLinkId: string | null;
  readonly key: string | null;
  readonly keyType: string | null;
  readonly bank: string | null;
  readonly cus: string | null;
  readonly customer: MaskedCustomer | null;
}

export interface MaskedCustomer {
  readonly name: string;
  readonly document: string;
  readonly phone: string;
  readonly email: string;
}

export type LinkState = 'CREATING' | 'REFUSED' | 'PENDING' | 'COMPLETED' | 'EXPIRED';

export interface LinkView {
  readonly id: string;
  readonly reference: string;
  readonly flow: LinkFlow;
  readonly amountInCents: number;
  /** What has arrived through it. */
  readonly paidInCents: number;
  readonly rail: Rail | null;
  readonly bank: string | null;
  readonly customer: string | null;
  readonly state: LinkState;
  readonly url: string | null;
  readonly serviceId: string | null;
  /** The order that it is for, when the checkout made it. */
  readonly order: string | null;
  /** What the payer pays for, in the merchant's words; the service does not know it. */
  readonly concept: string | null;
  /** The merchant's own; neither the payer nor the service sees it. */
  readonly note: string | null;
  readonly callbackUrl: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly completedAt: string | null;
}

/** An order with what was given back of it. */
export interface OrderDetail extends OrderView {
  readonly returns: readonly PayoutView[];
}
