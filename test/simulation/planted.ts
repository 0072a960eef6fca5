import { transition } from '../../src/machine/paying/transition.js';
import type { OrderRow, Store } from '../../src/server.js';
import type { OrderRecord } from '../../src/server/orders/record.js';
import { createWatcher } from '../../src/transport/watcher.js';
import { overriding } from './shop.js';
import type { Planted } from './simulation.js';

/** Mistakes that somebody could make, each in an otherwise sound checkout, and the complaint that must come of it. */
export interface Defect extends Planted {
  readonly name: string;
  readonly complaint: RegExp;
  /** Under which it is found soon; any other finds it, too. */
  readonly seed: number;
}

const sound = { transition, createWatcher };

export const DEFECTS: readonly Defect[] = [
  {
    name: 'a lost wake-up',
    seed: 8,
    complaint: /after it was seen again/,
    parts: {
      ...sound,
      createWatcher: (read, listener, surroundings) =>
        createWatcher(read, listener, { ...surroundings, onWake: () => () => undefined }),
    },
  },
  {
    name: 'a forgotten abort',
    seed: 1,
    complaint: /not aborted|at once|removed/,
    parts: {
      ...sound,
      createWatcher: (read, listener, surroundings) =>
        createWatcher(
          (target, options) => read(target, { ...options, signal: new AbortController().signal }),
          listener,
          surroundings,
        ),
    },
  },
  {
    name: 'a watcher that gives up at the first failure',
    seed: 4,
    complaint: /after all was well again|after it was seen again/,
    parts: {
      ...sound,
      createWatcher: (read, listener, surroundings) => {
        let failed = false;
        return createWatcher(
          async (target, options) => {
            if (failed) return new Promise(() => undefined);
            try {
              return await read(target, options);
            } catch (error) {
              failed = !options.signal.aborted;
              throw error;
            }
          },
          listener,
          surroundings,
        );
      },
    },
  },
  {
    name: 'an optimistic state: whoever comes back from the bank has paid',
    seed: 1,
    complaint: /nobody said|without a payment/,
    parts: {
      ...sound,
      transition: (state, input) =>
        transition(
          state,
          input.type === 'attempt' && state.screen.phase === 'returning' && input.attempt.kind === 'PAYIN'
            ? { ...input, attempt: { ...input.attempt, status: 'CONFIRMED' } }
            : input,
        ),
    },
  },
  {
    name: 'a final event for every answer',
    seed: 1,
    complaint: /twice|after the money/,
    parts: {
      ...sound,
      transition: (state, input) => transition({ ...state, emitted: [] }, input),
    },
  },
  {
    name: 'a resume that creates',
    seed: 1,
    complaint: /without a click/,
    parts: {
      ...sound,
      transition(state, input) {
        const [next, effects] = transition(state, input);
        const { screen, hint } = next;
        if (input.type !== 'offer-loaded' || screen.phase !== 'choosing' || !hint) return [next, effects];
        const [method] = screen.methods;
        const idempotencyKey = hint.idempotencyKey ?? 'a-key-of-the-simulation';
        const [after, more] = transition(next, { type: 'choose', method, idempotencyKey, atMs: input.atMs });
        return [after, [...effects, ...more]];
      },
    },
  },
  {
    name: 'a settlement without a look at the ones before',
    seed: 2,
    complaint: /settlements of|duplicate reports of/,
    wrapStore: (store) => forgetful(store, (record) => ({ ...record, payments: [] })),
  },
  {
    name: 'a kit that never reads by itself',
    seed: 1,
    complaint: /settlements of|duplicate reports of|instead of|well again/,
    wrapStore: (store) =>
      overriding(store, (name, method) => (name === 'claim' ? () => Promise.resolve([]) : method)),
  },
];

/** Shows each decision a record that lacks something. */
function forgetful(store: Store, forget: (record: OrderRecord) => OrderRecord): Store {
  const update: Store['update'] = (orderId, decide) =>
    store.update(orderId, (row: OrderRow | undefined) =>
      decide(row && { ...row, body: forget(row.body as OrderRecord) }),
    );
  return overriding(store, (name, method) => (name === 'update' ? update : method));
}
