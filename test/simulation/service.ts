import { createPayinList } from '../../src/service/payin-list.js';
import { EngineError, type Engine } from '../../src/sandbox.js';
import type { CheckoutOptions } from '../../src/server.js';
import type { Reading } from '../../src/contract/schema.js';
import { viewLink, viewPayin, viewPayout } from '../../src/sandbox/service/views.js';
import { ServiceError } from '../../src/service/errors.js';
import type { CallOptions } from '../../src/service/http.js';
import { createReaders } from '../../src/service/resources.js';

/** What becomes of calls from the kit to the service. */
export type ServiceWeather = 'clear' | 'lost' | 'answer-lost' | 'error' | 'slow' | 'very-slow';

export interface Way {
  weather(): ServiceWeather;
  latency(): Promise<void>;
  pause(durationMs: number): Promise<void>;
}

const SLOW_MS = 4_000;
const VERY_SLOW_MS = 14_000;
const DEFAULT_TIMEOUT_MS = 10_000;

type Service = CheckoutOptions['service'];
type Operation = ConstructorParameters<typeof ServiceError>[1];

/** The sandbox's engine as the kit's client would find it: the same resources and errors, without HTTP in between. */
export function serviceOf(engine: Engine, way: Way): Service {
  const readers = createReaders(undefined, undefined);
  const understood = <Value>(reading: Reading<Value>): Value => {
    if (!reading.ok) throw new TypeError('The engine shows something else than the interface says');
    return reading.value;
  };

  async function call<Value>(operation: Operation, options: CallOptions, work: () => Value): Promise<Value> {
    await way.latency();
    const weather = way.weather();
    const mayHaveHappened = operation.endsWith('create');
    if (weather === 'lost') throw new ServiceError('network', operation, { mayHaveHappened });
    if (weather === 'error')
      throw new ServiceError('unavailable', operation, { status: 503, mayHaveHappened });
    let value: Value;
    try {
      value = work();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw new ServiceError('conflict', operation, { status: 409 });
    }
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const durationMs = weather === 'slow' ? SLOW_MS : weather === 'very-slow' ? VERY_SLOW_MS : 0;
    await (durationMs === 0 ? way.latency() : way.pause(Math.min(durationMs, timeoutMs)));
    if (durationMs > timeoutMs) throw new ServiceError('timeout', operation, { mayHaveHappened });
    if (weather === 'answer-lost') throw new ServiceError('network', operation, { mayHaveHappened });
    return value;
  }

  const missing = (operation: Operation) => new ServiceError('not_found', operation, { status: 404 });
  const { view } = engine;
  return {
    payins: {
      create: (input, options = {}) =>
        call('payins.create', options, () =>
          understood(readers.payin(viewPayin(engine.createPayin(input), view))),
        ),
      retrieve: (id, options = {}) =>
        call('payins.retrieve', options, () => {
          const payin = engine.readPayin(id);
          if (!payin) throw missing('payins.retrieve');
          return understood(readers.payin(viewPayin(payin, view)));
        }),
      list: (listOptions = {}) =>
        createPayinList(
          (_cursor, options) =>
            call('payins.list', { timeoutMs: options.timeoutMs }, () => ({
              data: engine.payins
                .map((payin) => understood(readers.payin(viewPayin(payin, view))))
                .sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt)),
              unreadable: 0,
              pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
            })),
          listOptions,
        ),
    },
    payouts: {
      create: (input, options = {}) =>
        call('payouts.create', options, () =>
          understood(readers.payout(viewPayout(engine.createPayout(input), view))),
        ),
      send: () => Promise.reject(new Error('The kit looks keys up by itself')),
    },
    keys: {
      lookup: (keyString, options = {}) =>
        call('keys.lookup', options, () => understood(readers.receiver(engine.lookupKey(keyString)))),
    },
    paymentLinks: {
      create: (input, options = {}) =>
        call('paymentLinks.create', options, () =>
          understood(readers.createdPaymentLink(viewLink(engine.createLink(input), view))),
        ),
      retrieve: (id, options = {}) =>
        call('paymentLinks.retrieve', options, () => {
          const link = engine.readLink(id);
          if (!link) throw missing('paymentLinks.retrieve');
          return understood(readers.paymentLink(viewLink(link, view)));
        }),
    },
    findPayinByReference: (reference, options = {}) =>
      call('payins.list', options, () => {
        const payin = engine.payins.find(
          (each) => each.reference === reference && each.paymentLinkId === null,
        );
        return payin ? understood(readers.payin(viewPayin(payin, view))) : null;
      }),
  };
}
