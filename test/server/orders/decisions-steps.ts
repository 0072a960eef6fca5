import fc from 'fast-check';
import type { PayinStatus } from '../../../src/contract/status.js';

/** What can happen to an order, as fast-check draws it. */

export const AMOUNT = 5_000_000;

export const RULES = { maxAttempts: 6, allowPseOverride: true, submissionTimeoutMs: 10_000 };

export interface TruePayin {
  readonly id: string;
  readonly states: PayinStatus[];
  readonly confirmedAmountInCents: number | null;
  /** The reference of the link that it was made through. */
  readonly link: string | null;
}

/** A link is completed by its first confirmed payin, and may have further ones. */
export interface TrueLink {
  readonly id: string;
  readonly payins: string[];
  isExpired: boolean;
}

export const METHODS = ['breb', 'pse', 'link'] as const;

export const CHOICES = {
  breb: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
  pse: { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BBVA', bankName: 'BBVA', personType: 'INDIVIDUAL' },
  link: { kind: 'PAYMENT_LINK', rail: null, bank: null },
} as const;

export type Step =
  | { readonly do: 'start'; readonly replaces: boolean; readonly method: (typeof METHODS)[number] }
  | { readonly do: 'payThrough' | 'expire'; readonly submission: number }
  | { readonly do: 'make'; readonly submission: number }
  | {
      readonly do: 'outcome';
      readonly submission: number;
      readonly status: PayinStatus;
      readonly differs: boolean;
    }
  | { readonly do: 'answer' | 'unclear' | 'refused' | 'notMade' | 'missed'; readonly submission: number }
  | { readonly do: 'event'; readonly submission: number; readonly status: PayinStatus }
  | { readonly do: 'read'; readonly submission: number; readonly lag: number; readonly forged: boolean }
  | { readonly do: 'failedRead'; readonly submission: number }
  | { readonly do: 'pass'; readonly durationMs: number };

const submission = fc.nat({ max: 5 });

const status = fc.constantFrom<PayinStatus>('PENDING', 'PROCESSING', 'CONFIRMED', 'DECLINED', 'CANCELED');

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('start'),
        replaces: fc.boolean(),
        method: fc.constantFrom(...METHODS),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('payThrough'), submission }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('expire'), submission }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('make'), submission }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('outcome'),
        submission,
        status: fc.constantFrom<PayinStatus>('CONFIRMED', 'CONFIRMED', 'DECLINED', 'CANCELED'),
        differs: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('answer'), submission }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('unclear', 'refused', 'notMade', 'missed'), submission }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('event'), submission, status }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('read'),
        submission,
        lag: fc.nat({ max: 2 }),
        forged: fc.constantFrom(true, false, false, false),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('failedRead'), submission }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('pass'),
        durationMs: fc.constantFrom(500, 16_000, 30_000, 3_600_000),
      }),
    },
  ),
  { maxLength: 60 },
);
