import * as v from 'valibot';
import { BrebAttemptSchema, type Offer, PseAttemptSchema, type Settlement } from '../../contract/backend.js';
import type { BrebMethod, PseMethod } from '../../contract/offer.js';
import { type FieldError, read } from '../../contract/schema.js';
import { cents, currency, identifier, orNull, text, timestamp } from '../../contract/fields.js';
import { withReturnId } from '../../contract/return-address.js';
import { type Rail, RAILS } from '../../contract/kinds.js';
import { SourceDataSchema } from '../../contract/service/resources.js';
import { type Check, fail, type Finding, pass } from '../checks.js';
import { type Answer, describeAnswer, isGood, type Probe, TEST_CUSTOMER } from '../probe.js';
import type { SandboxControl } from './sandbox-control.js';

export const LEVELS = ['full', 'basic'] as const;
export type Level = (typeof LEVELS)[number];

export interface VisitOptions {
  readonly backend: string;
  readonly order: string;
  readonly level: Level;
  readonly callbackUrl: string;
  readonly rail?: Rail | undefined;
  /** Of the page, when it is not the backend's. */
  readonly origin?: string | undefined;
  readonly webhook?: { readonly header: string; readonly secret: string } | undefined;
  /** Further orders, one for each payment that is played out with the sandbox. */
  readonly spareOrders?: readonly string[] | undefined;
  /** Address of the sandbox behind the backend. */
  readonly sandbox?: string | undefined;
  /** Address that says what the shop did about an order, with {order} for the token. */
  readonly shop?: string | undefined;
  /** Address that raises the price of an order when it is posted to, with {order} for the token. */
  readonly raise?: string | undefined;
}

/** What is known so far of the backend under test. Steps fill it in, later steps build on it. */
export interface Visit extends VisitOptions {
  readonly probe: Probe;
  /** Undefined without --sandbox. */
  readonly control: SandboxControl | undefined;
  /** Ids of the payins that the sandbox had before. */
  readonly payinsBefore: ReadonlySet<string>;
  /** Orders that no play has taken yet. */
  readonly ordersLeft: string[];
  /** What the shop says; undefined without --shop. */
  readonly shopProbe: Probe | undefined;
  /** Undefined without --raise. */
  readonly raiseProbe: Probe | undefined;
  offer?: Offer;
  /** A Basic backend that leaves the offer to the element's attributes. */
  hasNoOffers?: boolean;
  method?: BrebMethod | PseMethod;
  /** The key that made the first attempt, what it was sent with, and what two requests at once were answered. */
  first?: {
    readonly key: string;
    readonly body: StartBody;
    readonly attempt: Seen;
    readonly answers: readonly Answer[];
  };
  /** The payin that the steps look at. */
  attempt?: Seen;
  /** The order's current attempt, which may be of another kind by now. */
  currentId?: string;
  /** A payment that was declined, and can still be confirmed. */
  declined?: Payment;
}

/** A payment that is played out at the sandbox; its visit has the order it is for. */
export interface Payment {
  readonly control: SandboxControl;
  readonly visit: Visit;
  readonly attempt: Seen;
  /** At the service. */
  readonly payinId: string;
}

/** Pauses between looks for what should come: soon after each other at first, for twenty seconds in all. */
export const LOOK_PAUSES_MS: readonly number[] = [
  100,
  200,
  300,
  400,
  ...Array.from({ length: 19 }, () => 1_000),
];
/** Pause between looks at what should stay as it is. */
export const HOLD_PAUSE_MS = 250;

/** Where the page is that the payer sees. */
export function pageOrigin({ origin, backend }: Pick<VisitOptions, 'origin' | 'backend'>): string {
  return origin ?? new URL(backend).origin;
}

export type StartBody = Readonly<Record<string, unknown>>;

/** An attempt as far as the steps need it, at either level. */
export interface Seen {
  readonly id: string;
  readonly status: string;
  readonly amountInCents: number;
  readonly confirmedAmountInCents: number | null;
  readonly reference: string;
  /** Null at the Basic level, which has none. */
  readonly settlement: Settlement | null;
  /** Null where the backend gives none, which only a Basic one may. */
  readonly version: string | null;
  readonly waited: boolean;
  readonly isPayable: boolean;
}

/** One line of the table. */
export interface Step extends Check<Visit> {
  /** Only a Full backend has to pass it; a Basic one too when absent. */
  readonly level?: 'full';
}

/** A payin that a Basic backend passes through: what the widget cannot do without. */
const BasicPayinSchema = v.object({
  id: identifier,
  status: text(64),
  rail: v.picklist(RAILS),
  amountInCents: cents,
  confirmedAmountInCents: orNull(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  currency,
  reference: text(256),
  createdAt: timestamp,
  updatedAt: timestamp,
  sourceData: orNull(SourceDataSchema),
});

/** The attempt in an answer, or what is wrong with it. */
function readSeen(visit: Visit, body: unknown): { readonly seen: Seen } | { readonly wrong: string } {
  const raw = Object(body) as Record<string, unknown>;
  // The widget takes an answer for a Full one by its settlement, whatever the rest of the backend can do.
  if (visit.level === 'basic' && raw['settlement'] === undefined) {
    const reading = read(BasicPayinSchema, body);
    if (!reading.ok) return { wrong: describeErrors(reading.errors) };
    const { sourceData, ...payin } = reading.value;
    const isPayable = (sourceData?.keyString ?? sourceData?.bank ?? null) !== null;
    return { seen: { ...payin, settlement: null, version: null, waited: false, isPayable } };
  }
  const reading = read(raw['rail'] === 'PSE' ? PseAttemptSchema : BrebAttemptSchema, body);
  if (!reading.ok) return { wrong: describeErrors(reading.errors) };
  // A name the widget does not know is open to it: it would wait without end.
  if (reading.value.status !== raw['status']) return { wrong: 'status: not_allowed' };
  return { seen: { ...reading.value, isPayable: reading.value.sourceData !== null } };
}

/** The attempt of a good answer, or the verdict that there is none. */
export function attemptIn(visit: Visit, answer: Answer): Seen | Finding {
  const { request } = answer;
  if (!isGood(answer)) return fail(`${request}: ${describeAnswer(answer)}`, undefined, answer);
  const reading = readSeen(visit, answer.body);
  return 'seen' in reading ? reading.seen : fail(`${request}: ${reading.wrong}`, undefined, answer);
}

export function isFinding(value: object): value is Finding {
  return 'outcome' in value;
}

/** "amountInCents: required, status: not_allowed" */
export function describeErrors(errors: readonly FieldError[]): string {
  return errors
    .slice(0, 5)
    .map(({ field, code }) => `${field || 'the body'}: ${code}`)
    .join(', ');
}

export function expected(isSo: boolean, found: string, answer?: Answer): Finding {
  return isSo ? pass(found) : fail(found, undefined, answer);
}

/** A step that asks once for what must be refused with this status. */
export function refusal(
  step: Omit<Step, 'run'> & { readonly status: number; readonly send: (visit: Visit) => Promise<Answer> },
): Step {
  const { status, send, ...about } = step;
  return {
    ...about,
    async run(visit) {
      const answer = await send(visit);
      return expected(answer.status === status, describeAnswer(answer));
    },
  };
}

export function newKey(): string {
  return `verify-${crypto.randomUUID()}`;
}

export const CREATE_PATH = '/payins';

export function orderPath(order: string): string {
  return `/orders/${encodeURIComponent(order)}`;
}

export function payinPath(id: string): string {
  return `/payins/${encodeURIComponent(id)}`;
}

/** A creation as the widget would send it. */
export function startBody(visit: Visit, more: StartBody = {}): StartBody {
  const { order, callbackUrl, offer, method } = visit;
  const rail = method?.rail ?? visit.rail ?? 'BRE_B';
  const isPse = rail === 'PSE';
  const asksForCustomer = method === undefined ? isPse : method.requires.length > 0;
  return {
    order,
    ...(offer === undefined ? {} : { offerVersion: offer.version }),
    rail,
    ...(isPse
      ? { pse: { bank: bankOf(method), personType: 'INDIVIDUAL' } }
      : { breb: { keyType: method?.rail === 'BRE_B' ? method.keyType : 'QR_CODE' } }),
    ...(asksForCustomer ? { inlineCustomer: TEST_CUSTOMER } : {}),
    callbackUrl,
    ...more,
  };
}

function bankOf(method: BrebMethod | PseMethod | undefined): string {
  return (method?.rail === 'PSE' ? method.banks[0]?.code : undefined) ?? 'CO_BANCOLOMBIA';
}

export function create(
  visit: Visit,
  body: StartBody,
  key: string | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return visit.probe.send(CREATE_PATH, {
    method: 'POST',
    body: withReturnKey(visit, body, key),
    headers: { ...headers, ...(key === null ? {} : { 'idempotency-key': key }) },
  });
}

/** Goes on with the attempt that the backend calls current, after it made one it should not have made. */
export async function adoptCurrent(visit: Visit): Promise<void> {
  if (visit.level === 'basic') return;
  const { attempt } = Object((await visit.probe.send(orderPath(visit.order))).body) as { attempt?: unknown };
  const reading = readSeen(visit, attempt);
  if (!('seen' in reading)) return;
  visit.attempt = reading.seen;
  visit.currentId = reading.seen.id;
}

/** Without an offer the widget takes the backend for a Basic one, and names the attempt in the address itself. */
function withReturnKey({ level, offer }: Visit, body: StartBody, key: string | null): StartBody {
  const { callbackUrl } = body;
  if (level === 'full' || offer !== undefined || key === null || typeof callbackUrl !== 'string') return body;
  return { ...body, callbackUrl: withReturnId(callbackUrl, { kind: 'PAYIN', id: key }) };
}
