import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import { transition } from '../../src/machine/paying/transition.js';
import { isLong } from '../support/long.js';
import { seedOr, sizeOr } from '../support/torture.js';
import { type World, beginning, exits, play } from './model.js';
import { ESSENTIAL, INPUTS, MOVES, type Machine, type Move, PHASES } from './moves.js';

/** How far every sequence of essential moves is followed. */
const LENGTH = isLong ? 9 : 8;

/** Two worlds that no later move can tell apart are one: counters and clocks are left out, distances kept. */
function essence({ state, nowMs, dispatched, paidIds, scheduled }: World): string {
  const keep = { ...state, run: 0 };
  return JSON.stringify(
    [keep, dispatched, paidIds, scheduled === null ? null : scheduled - nowMs],
    (key, value) =>
      key === 'idempotencyKey' || key.endsWith('Ms') || key === 'waited' ? null : (value as unknown),
  );
}

/** Follows every sequence up to a length, and stops at the first fault. */
function exhaust(machine: Machine, moves: readonly Move[], length: number) {
  let frontier = new Map([[essence(beginning), { world: beginning, path: [] as string[] }]]);
  const seen = new Set(frontier.keys());
  let steps = 0;
  for (let depth = 1; depth <= length; depth++) {
    const next: typeof frontier = new Map();
    for (const { world, path } of frontier.values()) {
      for (const move of moves) {
        steps++;
        const [after, faults] = play(machine, world, move);
        const trail = [...path, move.name];
        if (faults.length > 0)
          return { steps, states: seen.size, fault: `${trail.join(' → ')}: ${faults.join('; ')}` };
        const name = essence(after);
        if (seen.has(name)) continue;
        seen.add(name);
        if (!exits(machine, after)) {
          return {
            steps,
            states: seen.size,
            fault: `${trail.join(' → ')}: no way out of ${after.state.screen.phase}`,
          };
        }
        next.set(name, { world: after, path: trail });
      }
    }
    frontier = next;
  }
  return { steps, states: seen.size, fault: null };
}

/** Long random sequences, drawn towards moves that lead somewhere; gives the first fault and a few worlds of each phase. */
function wander(machine: Machine, runs: number, length: number, seed?: number) {
  const worlds = new Map<string, World[]>();
  let taken = 0;
  const candidates = fc.tuple(
    fc.constantFrom(...MOVES),
    fc.constantFrom(...MOVES),
    fc.constantFrom(...MOVES),
  );
  const details = fc.check(
    fc.property(fc.array(candidates, { minLength: length / 2, maxLength: length }), (steps) => {
      let world = beginning;
      for (const moves of steps) {
        taken++;
        const { phase } = world.state.screen;
        const found = worlds.get(phase) ?? [];
        if (found.length < 20) worlds.set(phase, [...found, world]);
        const tries = moves.map((move) => [move, ...play(machine, world, move)] as const);
        const leads = ([move, after]: (typeof tries)[number]) =>
          after.state.screen.phase !== phase &&
          (phase === 'idle' || !/^(start|stop|misconf)/.test(move.name));
        const [move, after, faults] = tries.find(leads) ?? tries[0] ?? [];
        if (!move || !after || !faults) return;
        if (faults.length > 0) throw new Error(`${move.name}: ${faults.join('; ')}`);
        if (!exits(machine, after))
          throw new Error(`${move.name}: no way out of ${after.state.screen.phase}`);
        world = after;
      }
    }),
    { numRuns: runs, endOnFailure: true, ...(seed === undefined ? {} : { seed }) },
  );
  const fault = details.failed ? `seed ${details.seed}: ${String(details.errorInstance)}` : null;
  return { worlds, fault, seed: details.seed, steps: taken };
}

describe('the machine', () => {
  it(`holds on every sequence of up to ${LENGTH} essential moves`, () => {
    const { steps, states, fault } = exhaust(transition, ESSENTIAL, LENGTH);
    console.log(`${ESSENTIAL.length} moves, ${steps} steps, ${states} distinct states`);
    assert.equal(fault, null);
  });

  it('holds on every sequence of up to three moves of any kind', () => {
    const { steps, states, fault } = exhaust(transition, MOVES, 3);
    console.log(`${MOVES.length} moves, ${steps} steps, ${states} distinct states`);
    assert.equal(fault, null);
  });

  it('holds on long random sequences', () => {
    const { fault, seed, steps } = wander(
      transition,
      Math.ceil(sizeOr(10_000, 100_000) / 60),
      120,
      seedOr(Math.floor(Math.random() * 2 ** 31)),
    );
    console.log(`seed ${seed}, ${steps} steps`);
    assert.equal(fault, null);
  });

  it('takes every input in every phase', () => {
    const { worlds, fault } = wander(transition, 100, 100, 20_260_302);
    assert.equal(fault, null);
    const visits = new Map<string, number>();
    for (const [phase, found] of worlds) {
      for (const world of found) {
        for (const move of MOVES) {
          const pair = `${phase} × ${move.at(world.state, world.count).type}`;
          visits.set(pair, (visits.get(pair) ?? 0) + 1);
          const [after, faults] = play(transition, world, move);
          assert.deepEqual(faults, [], pair);
          assert.ok(exits(transition, after), pair);
        }
      }
    }
    const all = Object.keys(PHASES).flatMap((phase) =>
      Object.keys(INPUTS).map((input) => `${phase} × ${input}`),
    );
    const total = [...visits.values()].reduce((sum, count) => sum + count, 0);
    console.log(`${visits.size} of ${all.length} pairs, ${total} visits`);
    assert.deepEqual(
      all.filter((pair) => !visits.has(pair)),
      [],
    );
  });
});

/** Defects as they are made: a check forgotten, a message lost, a hope taken for a fact. */
const DEFECTS: Record<string, Machine> = {
  'a final event is emitted again': (state, input) => {
    const [after, effects] = transition({ ...state, emitted: [] }, input);
    return [after, effects];
  },
  'an overtaken answer lowers a state': (state, input) => {
    const [after, effects] = transition(state, input);
    const { screen } = after;
    if (input.type !== 'attempt' || !('attempt' in screen) || screen.attempt.id !== input.attempt.id) {
      return [after, effects];
    }
    return [{ ...after, screen: { ...screen, attempt: input.attempt } as typeof screen }, effects];
  },
  '"ya pagué" is believed': (state, input) => {
    const { screen } = state;
    if (input.type !== 'check' || screen.phase !== 'paying') return transition(state, input);
    const { attempt, offer } = screen;
    return [{ ...state, screen: { phase: 'confirmed', attempt, offer, late: false } }, []];
  },
  'a lapsed key is no longer watched': (state, input) => {
    const [after, effects] = transition(state, input);
    if (after.screen.phase !== 'lapsed') return [after, effects];
    return [after, [...effects, { type: 'watch', targets: [] }]];
  },
  'a replaced attempt is forgotten': (state, input) => {
    const [after, effects] = transition(state, input);
    return [input.type === 'created' ? { ...after, older: [] } : after, effects];
  },
  'the create is sent again when the page is restored': (state, input) => {
    const [after, effects] = transition(state, input);
    if (input.type !== 'page-restored' || state.screen.phase !== 'creating') return [after, effects];
    const { idempotencyKey } = state.screen;
    const body = { order: 'A-1042', callbackUrl: 'https://shop.example/', rail: 'PSE' } as const;
    return [after, [...effects, { type: 'create', idempotencyKey, request: { kind: 'PAYMENT_LINK', body } }]];
  },
  '"redirigiendo…" for ever': (state, input) =>
    state.screen.phase === 'redirecting' ? [state, []] : transition(state, input),
  'a failure without a way out': (state, input) =>
    state.screen.phase === 'failed' && input.type !== 'start' ? [state, []] : transition(state, input),
  'another amount is a plain success': (state, input) => {
    const [after, effects] = transition(state, input);
    const { screen } = after;
    if (screen.phase !== 'amount-differs') return [after, effects];
    return [{ ...after, screen: { ...screen, phase: 'confirmed' } }, effects];
  },
  'a second payment goes unnoticed': (state, input) => {
    const [after, effects] = transition(state, input);
    const { screen } = after;
    if (screen.phase !== 'duplicate') return [after, effects];
    return [{ ...after, screen: { ...screen, phase: 'confirmed' } }, effects];
  },
  'the timer is never set': (state, input) => {
    const [after, effects] = transition(state, input);
    return [after, effects.filter(({ type }) => type !== 'schedule')];
  },
  'a reload sends the payer to the bank': (state, input) => {
    const [after, effects] = transition(state, input);
    const { screen } = after;
    if (input.type !== 'offer-loaded' || screen.phase !== 'pending' || screen.url === null)
      return [after, effects];
    return [after, [...effects, { type: 'redirect', url: screen.url, attempt: screen.attempt }]];
  },
  'a payment that was left takes the page to the bank': (state, input) => {
    if (input.type !== 'created' && input.type !== 'attempt') return transition(state, input);
    const [after, effects] = transition({ ...state, open: true }, input);
    return [{ ...after, open: state.open }, effects];
  },
  'a state is changed in place': (state, input) => {
    const [after, effects] = transition(state, input);
    (after as { run: number }).run += 0;
    return [after, effects];
  },
};

describe('a planted defect is found', () => {
  for (const [name, machine] of Object.entries(DEFECTS)) {
    it(name, () => {
      let found: string | null;
      try {
        // Most are found within a hundred walks; a rare one must not be missed by bad luck.
        found = exhaust(machine, ESSENTIAL, 5).fault ?? wander(machine, 20_000, 120).fault;
      } catch (error) {
        found = String(error);
      }
      console.log(found ?? 'not found');
      assert.ok(found);
    });
  }
});
