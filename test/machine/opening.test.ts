import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Effect } from '../../src/machine/effect.js';
import type { Happening } from '../../src/machine/input.js';
import { begin, initialState } from '../../src/machine/opening.js';
import { transition } from '../../src/machine/transition.js';
import { NOON_MS, brebMethod, config, linkMethod, network, offer, problem, pseMethod } from './fixtures.js';

/** Without an attempt there is nothing to watch and no moment to await: saying so is no difference. */
const isEmpty = (effect: Effect): boolean =>
  (effect.type === 'watch' && effect.targets.length === 0) ||
  (effect.type === 'schedule' && effect.atMs === null);

const offers = [
  offer(),
  offer({ version: 'o2', amountInCents: 6_000_000 }),
  offer({ methods: [pseMethod] }),
  offer({ methods: [brebMethod] }),
  offer({ methods: [linkMethod] }),
  offer({ methods: [] }),
];

const happening = (run: number): fc.Arbitrary<Happening> =>
  fc.oneof(
    fc.record({ open: fc.boolean(), order: fc.constantFrom('A-1042', null) }).map(({ open, order }) => ({
      type: 'start' as const,
      config: { ...config, order },
      hint: null,
      returned: null,
      open,
    })),
    fc
      .constantFrom(...(['misconfigured', 'stop', 'opened', 'closed', 'online', 'offline'] as const))
      .map((type) => ({ type })),
    fc
      .record({
        offer: fc.constantFrom(...offers),
        level: fc.constantFrom(...(['FULL', 'BASIC'] as const)),
        late: fc.boolean(),
      })
      .map(({ offer, level, late }) => ({
        type: 'offer-loaded' as const,
        run: late ? run - 1 : run,
        offer,
        level,
      })),
    fc
      .constantFrom(network, problem('not_found'), { ...network, retryAfterMs: 5_000 })
      .map((failure) => ({ type: 'offer-failed' as const, run, failure })),
  );

describe('the opening', () => {
  it('does what the whole machine does, until there is an attempt', () => {
    let turns = 0;
    fc.assert(
      fc.property(fc.gen(), fc.integer({ min: 1, max: 30 }), (gen, length) => {
        let state = initialState;
        for (let step = 0; step < length; step += 1) {
          const input = { ...gen(() => happening(state.run)), atMs: NOON_MS + step };
          const began = begin(state, input);
          assert.ok(began, `${input.type} was left to the rest of the machine`);
          const [after, effects] = transition(state, input);
          assert.deepEqual(began[0], after);
          assert.deepEqual(
            began[1],
            effects.filter((effect) => !isEmpty(effect)),
          );
          state = after;
          turns += 1;
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(turns > 1_000);
  });

  it('leaves to the rest what takes an attempt, or makes one', () => {
    const [loading] = begin(initialState, {
      type: 'start',
      config,
      hint: null,
      returned: null,
      open: true,
      atMs: NOON_MS,
    })!;
    const { run } = loading;
    const inputs: Happening[] = [
      { type: 'start', config, hint: null, returned: { kind: 'PAYIN', id: 'x' }, open: true },
      { type: 'choose', method: brebMethod, idempotencyKey: 'key' },
      { type: 'check' },
      { type: 'retry', idempotencyKey: 'key' },
      { type: 'tick' },
      { type: 'page-restored' },
      { type: 'watch-failed', id: 'x', failures: 1 },
    ];
    for (const input of inputs) {
      assert.equal(begin(loading, { ...input, atMs: NOON_MS }), null, `${input.type} ${run}`);
    }
  });
});
