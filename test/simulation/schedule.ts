import fc from 'fast-check';
import type { Freeze, PageWeather } from './page.js';
import type { ServiceWeather } from './service.js';
import type { WebhookWeather } from './shop.js';

/** What happens to a checkout from outside, in order. Numbers choose among what there is at that moment. */
export interface Schedule {
  /** Decides latencies, jitter and whatever else is left to chance. */
  readonly chance: number;
  readonly canWait: boolean;
  readonly lifetimeMs: number;
  readonly hosted: boolean;
  /** How the payer begins. */
  readonly first: 'breb' | 'pse' | 'waits';
  readonly steps: readonly Step[];
}

export type Step = Deed & { readonly thenMs: number };

export type Deed =
  | { readonly do: 'click'; readonly tab: number; readonly which: number }
  | { readonly do: 'pay'; readonly which: number; readonly how: Payment }
  | { readonly do: 'page'; readonly tab: number; readonly what: PageMove }
  | { readonly do: 'freeze'; readonly tab: number; readonly how: Freeze }
  | { readonly do: 'open'; readonly what: Opening }
  | { readonly do: 'weather'; readonly tab: number; readonly weather: PageWeather }
  | { readonly do: 'service'; readonly weather: ServiceWeather }
  | { readonly do: 'webhooks'; readonly weather: WebhookWeather }
  | { readonly do: 'kit'; readonly what: 'crash' | 'restart' }
  | { readonly do: 'hooks'; readonly failing: number }
  | { readonly do: 'price' };

export type Payment = 'CONFIRMED' | 'DECLINED' | 'CANCELED' | 'UNDERPAID';
export type PageMove =
  | 'hide'
  | 'show'
  | 'reload'
  | 'close'
  | 'remove'
  | 'offline'
  | 'online'
  | 'back'
  | 'return'
  | 'return-elsewhere';
/** A second tab of the same browser, another device, or a browser that keeps nothing. */
export type Opening = 'tab' | 'device' | 'private';

/** Most of it happens in the first tab. */
const tab = fc.constantFrom(0, 0, 0, 1, 2, 3);
const which = fc.nat(11);

const deeds: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('click' as const), tab, which }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      which,
      how: fc.constantFrom<Payment>(
        'CONFIRMED',
        'CONFIRMED',
        'CONFIRMED',
        'DECLINED',
        'CANCELED',
        'UNDERPAID',
      ),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('page' as const),
      tab,
      what: fc.constantFrom<PageMove>(
        'hide',
        'hide',
        'show',
        'show',
        'reload',
        'reload',
        'close',
        'remove',
        'offline',
        'online',
        'back',
        'return',
        'return',
        'return-elsewhere',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('freeze' as const),
      tab,
      how: fc.constantFrom<Freeze>('kept', 'killed', 'silent'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      what: fc.constantFrom<Opening>('tab', 'tab', 'device', 'private'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('weather' as const),
      tab,
      weather: fc.constantFrom<PageWeather>(
        'clear',
        'clear',
        'lost',
        'answer-lost',
        'error',
        'busy',
        'slow',
        'silent',
        'malformed',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('service' as const),
      weather: fc.constantFrom<ServiceWeather>('clear', 'lost', 'answer-lost', 'error', 'slow', 'very-slow'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('webhooks' as const),
      weather: fc.constantFrom<WebhookWeather>('clear', 'lost', 'lost', 'late', 'twice', 'refused'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('kit' as const),
      what: fc.constantFrom('crash' as const, 'restart' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('hooks' as const), failing: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('price' as const) }) },
);

/** Mostly right after each other, sometimes long enough for something to lapse, to back off or to be given up. */
const pauses = fc.constantFrom(
  ...[
    0, 0, 10, 40, 150, 500, 500, 1_100, 1_100, 2_500, 2_500, 2_500, 7_000, 7_000, 7_000, 20_000, 35_000,
    65_000,
  ],
);

const steps = fc.tuple(deeds, pauses).map(([deed, thenMs]): Step => ({ ...deed, thenMs }));

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  chance: fc.integer(),
  canWait: fc.constantFrom(true, true, false),
  lifetimeMs: fc.constantFrom(30_000, 90_000, 900_000),
  hosted: fc.constantFrom(false, false, false, false, true),
  first: fc.constantFrom('breb' as const, 'breb' as const, 'breb' as const, 'pse' as const, 'waits' as const),
  steps: fc.array(steps, { minLength: 3, maxLength: 14, size: 'max' }),
});
