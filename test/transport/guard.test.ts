import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type * as v from 'valibot';
import { AttemptSchema, OfferSchema, ProblemSchema } from '../../src/contract/backend.js';
import { PROBLEM_CODES } from '../../src/contract/problems.js';
import { read } from '../../src/contract/schema.js';
import { PAYIN_STATUSES } from '../../src/contract/status.js';
import { readAttempt, readOffer, readProblem } from '../../src/transport/guard.js';
import { attempts, broken, offers, problems } from './wire.js';

/** What a reader makes of a value: the same thing, or no. */
function guarded(reader: (value: unknown) => unknown, value: unknown) {
  try {
    return { ok: true, value: reader(value) };
  } catch (error) {
    assert.equal(String(error), 'TypeError: malformed');
    return { ok: false };
  }
}

function schematic(schema: v.GenericSchema, value: unknown) {
  const reading = read(schema, value);
  return reading.ok ? { ok: true, value: reading.value } : { ok: false };
}

/** Over the wire a member is there or not; a present `undefined` does not exist. */
const overTheWire = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);

/** A payin's status that nobody knows is the one thing the guard takes and the schema does not: it is open. */
function opened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => {
    if (key === 'attempt' || key === 'offer') return [key, opened(member)];
    const isStatus = key === 'status' && 'kind' in value && value.kind === 'PAYIN' && isText(member);
    return [key, isStatus && !PAYIN_STATUSES.some((known) => known === member) ? 'PROCESSING' : member];
  });
  return Object.fromEntries(members) as unknown;
}

const isText = (value: unknown) => typeof value === 'string' && /^[^\x00-\x1f\x7f]{1,128}$/.test(value);

const SIDES = [
  ['an offer', OfferSchema, readOffer, offers],
  ['an attempt', AttemptSchema, readAttempt, attempts],
  ['a problem', ProblemSchema, readProblem, problems(PROBLEM_CODES)],
] as const;

for (const [name, schema, reader, values] of SIDES) {
  describe(`reading ${name}`, () => {
    const agree = (value: unknown) => {
      const expected = schematic(schema, opened(value));
      assert.deepEqual(guarded(reader, value), expected);
      return expected.ok;
    };

    it('takes what the schema takes, and makes the same of it', () => {
      fc.assert(
        fc.property(values, (value) => {
          assert.ok(agree(overTheWire(value)));
        }),
        { numRuns: 500 },
      );
    });

    it('refuses what the schema refuses, and nothing else', (t) => {
      const count = { taken: 0, refused: 0 };
      fc.assert(
        fc.property(broken(values), (value) => {
          count[agree(overTheWire(value)) ? 'taken' : 'refused']++;
        }),
        { numRuns: 3_000 },
      );
      t.diagnostic(`${count.taken} taken, ${count.refused} refused`);
      // Both sides of the line were walked.
      assert.ok(count.taken > 100 && count.refused > 1_000);
    });

    it('agrees on anything at all', () => {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          agree(value);
        }),
        { numRuns: 500 },
      );
    });
  });
}
