import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Input } from '../../src/machine/input.js';
import { begin, initialState } from '../../src/machine/opening.js';
import type { State } from '../../src/machine/state.js';
import { transition } from '../../src/machine/transition.js';
import { NOON_MS } from './fixtures.js';
import { MOVES } from './model.js';

/** Says what to watch and when to tick, which before the first attempt is always nothing and never. */
const aboutAttempts = ({ type }: { type: string }) => type === 'watch' || type === 'schedule';

describe('the opening', () => {
  it('does as the whole machine does, or hands over', (t) => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...MOVES), { maxLength: 30 }), (moves) => {
        let state: State = initialState;
        for (const [count, move] of moves.entries()) {
          const input: Input = { ...move.at(state, count), atMs: NOON_MS + count };
          const begun = begin(state, input);
          if (begun === null) continue;
          taken++;
          const [expected, effects] = transition(state, input);
          assert.deepEqual(begun[0], expected);
          assert.deepEqual(
            begun[1],
            effects.filter((effect) => !aboutAttempts(effect)),
          );
          state = expected;
        }
      }),
      { numRuns: 3_000 },
    );
    t.diagnostic(`${taken} inputs taken`);
    assert.ok(taken > 3_000);
  });
});
