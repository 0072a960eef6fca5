import assert from 'node:assert/strict';
import { sizeOr } from '../../support/torture.js';
import { test } from 'vitest';
import fc from 'fast-check';
import type { PayinStatus } from '../../../src/contract/status.js';
import { submissionsOf } from '../../../src/server/orders/record.js';
import { steps } from './decisions-steps.js';
import { Play } from './decisions-play.js';

/**
 * Every order of events that can happen to an order, played against a small model of the service: it makes payins and
 * links (or not), payers pay through the links, payins move to an outcome (some of them twice), and what the service says
 * arrives late, twice or never.
 */

const runs = sizeOr(700, 10_000);

test('whatever happens in whatever order, money is booked exactly once and nothing is lowered or lost', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const play = new Play();
      play.run({ do: 'start', replaces: false, method: 'breb' });
      for (const step of sequence) play.run(step);
      play.finish();
      const paid = [...play.truth].filter(([, { states }]) => states.includes('CONFIRMED'));
      assert.deepEqual(
        play.record.payments.map(({ serviceId, amountInCents }) => `${serviceId} ${amountInCents}`).sort(),
        paid.map(([key, { id }]) => `${id} ${play.paidInCents(key)}`).sort(),
        'every payment the service knows of is booked, with what it brought',
      );
    }),
    { numRuns: runs },
  );
});

test('the order in which true news arrives does not change what comes out', () => {
  const shuffled = fc.shuffledSubarray(['answer', 'event', 'read', 'answer', 'event', 'read'] as const, {
    minLength: 6,
  });
  fc.assert(
    fc.property(
      shuffled,
      fc.constantFrom<PayinStatus>('CONFIRMED', 'DECLINED', 'CANCELED'),
      (news, outcome) => {
        const play = new Play();
        play.run({ do: 'start', replaces: false, method: 'breb' });
        play.run({ do: 'make', submission: 0 });
        play.run({ do: 'outcome', submission: 0, status: outcome, differs: false });
        for (const each of news) {
          if (each === 'read') play.run({ do: 'read', submission: 0, lag: 0, forged: false });
          else if (each === 'event') play.run({ do: 'event', submission: 0, status: outcome });
          else play.run({ do: 'answer', submission: 0 });
        }
        play.finish();
        const [found] = submissionsOf(play.record);
        assert.equal(found?.submission.status, outcome);
        assert.deepEqual(found?.submission.unverifiedEvents, []);
        assert.equal(play.record.payments.length, outcome === 'CONFIRMED' ? 1 : 0);
        assert.equal(play.record.notices.length, 1);
      },
    ),
    { numRuns: 300 },
  );
});

test('of two payins made for one attempt only the first known is ever disclosed', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 0, 1], { minLength: 4 }), (answers) => {
      const play = new Play();
      play.run({ do: 'start', replaces: false, method: 'breb' });
      // No answer: looked up for 15 seconds, then another reference is used.
      play.run({ do: 'pass', durationMs: 12_000 });
      play.run({ do: 'pass', durationMs: 15_000 });
      assert.equal(submissionsOf(play.record).length, 2);
      for (const each of [0, 1]) play.run({ do: 'make', submission: each });
      for (const each of answers) play.run({ do: 'answer', submission: each });
      const [first] = answers;
      const disclosed = submissionsOf(play.record)[first ?? 0]?.submission.reference;
      assert.equal(play.record.attempts[0]?.disclosed, disclosed);
    }),
  );
});
