import type { LinkStatus, PayinStatus } from '../../contract/status.js';
import type { ServiceClientOptions } from '../../service/options.js';
import type { Check } from '../checks.js';
import { type Answer, describeAnswer, type Probe } from '../probe.js';

/** The options of `createServiceClient` that this service needs. */
export type FoundOptions = {
  -readonly [Name in 'auth' | 'listParameters' | 'statusNames' | 'linkStatusNames']?: NonNullable<
    ServiceClientOptions[Name]
  >;
};

export type Members = Readonly<Record<string, unknown>>;

/** A payin that the examination created itself, so that it knows what was asked for. */
export interface Made {
  readonly id: string;
  readonly reference: string;
  readonly amountInCents: number;
  readonly answer: Members;
}

/** What is known so far of the service. Questions fill it in, later questions build on it. */
export interface Exam {
  /** With `x-api-key`. */
  readonly probe: Probe;
  /** With the bearer token; undefined when there is none. */
  readonly links: Probe | undefined;
  readonly bank: string;
  readonly callbackUrl: string;
  readonly options: FoundOptions;
  /** Every payin seen so far, newest knowledge last. */
  readonly seen: Members[];
  made?: Made;
}

export interface Question extends Check<Exam> {
  /** Asked only where creating is allowed. */
  readonly creates?: true;
}

export function membersOf(value: unknown): Members {
  return Object(value) as Members;
}

export function textOf(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A status as the service names it; undefined when it is no name one could print or set. */
export function statusNameOf(members: Members): string | undefined {
  const name = textOf(members, 'status');
  return name !== undefined && /^[\w-]{1,64}$/.test(name) ? name : undefined;
}

/** The payins of a list's answer; undefined when it is no list. */
export function listed({ status, body }: Answer): readonly Members[] | undefined {
  const { data } = membersOf(body);
  return status === 200 && Array.isArray(data) ? data.map(membersOf) : undefined;
}

export function refusal(answer: Answer): string {
  return `${answer.request.split('?')[0] ?? ''}: ${describeAnswer(answer)}`;
}

export const PAYIN_MEANINGS: Readonly<Record<string, PayinStatus>> = {
  APPROVED: 'CONFIRMED',
  PAID: 'CONFIRMED',
  COMPLETED: 'CONFIRMED',
  SUCCEEDED: 'CONFIRMED',
  SUCCESS: 'CONFIRMED',
  REJECTED: 'DECLINED',
  FAILED: 'DECLINED',
  CANCELLED: 'CANCELED',
  EXPIRED: 'CANCELED',
  CREATED: 'PENDING',
};

export const LINK_MEANINGS: Readonly<Record<string, LinkStatus>> = {
  CREATED: 'PENDING',
  ACTIVE: 'PENDING',
  OPEN: 'PENDING',
};
