import * as v from 'valibot';
import {
  BrebAttemptSchema,
  type BrebMethod,
  type Offer,
  PseAttemptSchema,
  type PseMethod,
} from '../../contract/backend.js';
import {
  cents,
  currency,
  type FieldError,
  identifier,
  orNull,
  read,
  text,
  timestamp,
} from '../../contract/schema.js';
import { type Rail, RAILS, SourceDataSchema } from '../../contract/service-resources.js';
import { type Answer, describeAnswer, type Probe } from '../probe.js';

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
}

/** What is known so far of the backend under test. Steps fill it in, later steps build on it. */
export interface Visit extends VisitOptions {
  readonly probe: Probe;
  offer?: Offer;
  /** A Basic backend that leaves the offer to the element's attributes. */
  hasNoOffers?: boolean;
  method?: BrebMethod | PseMethod;
  /** The key that made the first attempt, and what it was sent with. */
  first?: { readonly key: string; readonly body: StartBody; readonly attempt: Seen };
  /** The current attempt. */
  attempt?: Seen;
}

export type StartBody = Readonly<Record<string, unknown>>;

/** An attempt as far as the steps need it, at either level. */
export interface Seen {
  readonly id: string;
  readonly status: string;
  readonly amountInCents: number;
  readonly reference: string;
  /** Null where the backend gives none, which only a Basic one may. */
  readonly version: string | null;
  readonly waited: boolean;
  readonly isPayable: boolean;
}

export type Verdict =
  | { readonly outcome: 'pass'; readonly found: string }
  | { readonly outcome: 'fail'; readonly found: string; readonly fix?: string }
  | { readonly outcome: 'skip'; readonly found: string };

/** One line of the table. */
export interface Step {
  readonly id: string;
  readonly title: string;
  /** `full`: only a Full backend has to pass it. */
  readonly level: 'both' | 'full';
  /** What to do when it fails; a verdict may say it more exactly. */
  readonly fix: string;
  run(visit: Visit): Promise<Verdict>;
}

export const pass = (found: string): Verdict => ({ outcome: 'pass', found });
export const fail = (found: string, fix?: string): Verdict => ({
  outcome: 'fail',
  found,
  ...(fix === undefined ? {} : { fix }),
});
export const skip = (found: string): Verdict => ({ outcome: 'skip', found });
export const NO_PAYIN = skip('there is no payin to try it with');

/** A payin that a Basic backend passes through: what the widget cannot do without. */
const BasicPayinSchema = v.object({
  id: identifier,
  status: text(64),
  rail: v.picklist(RAILS),
  amountInCents: cents,
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
    const { id, status, amountInCents, reference, sourceData } = reading.value;
    const isPayable = (sourceData?.keyString ?? sourceData?.bank ?? null) !== null;
    return { seen: { id, status, amountInCents, reference, version: null, waited: false, isPayable } };
  }
  const reading = read(raw['rail'] === 'PSE' ? PseAttemptSchema : BrebAttemptSchema, body);
  if (!reading.ok) return { wrong: describeErrors(reading.errors) };
  const { id, status, amountInCents, reference, version, waited, sourceData } = reading.value;
  return { seen: { id, status, amountInCents, reference, version, waited, isPayable: sourceData !== null } };
}

/** The attempt of a good answer, or the verdict that there is none. */
export function attemptIn(visit: Visit, answer: Answer): Seen | Verdict {
  if (answer.status < 200 || answer.status > 299) return fail(`${answer.request}: ${describeAnswer(answer)}`);
  const reading = readSeen(visit, answer.body);
  return 'seen' in reading ? reading.seen : fail(`${answer.request}: ${reading.wrong}`);
}

export function isVerdict(value: Seen | Verdict): value is Verdict {
  return 'outcome' in value;
}

/** "amountInCents: required, status: not_allowed" */
export function describeErrors(errors: readonly FieldError[]): string {
  return errors
    .slice(0, 5)
    .map(({ field, code }) => `${field || 'the body'}: ${code}`)
    .join(', ');
}

export function newKey(): string {
  return `verify-${crypto.randomUUID()}`;
}

export const CREATE_PATH = '/payins';

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

/** A payer who does not exist; the document is one of the service's own test numbers. */
export const TEST_CUSTOMER = {
  name: 'Pago De Prueba',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573000000000',
  email: 'pago-de-prueba@example.com',
} as const;

export function create(
  visit: Visit,
  body: StartBody,
  key: string | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return visit.probe.send(CREATE_PATH, {
    method: 'POST',
    body,
    headers: { ...headers, ...(key === null ? {} : { 'idempotency-key': key }) },
  });
}
