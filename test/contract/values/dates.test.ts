import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import * as fc from 'fast-check';
import { parseDay, parseTimestamp } from '../../../src/contract/values/dates.js';

describe('parseTimestamp', () => {
  it('reads UTC and offsets as the same moment', () => {
    const expected = Date.UTC(2025, 10, 15, 20, 4, 5, 678);
    assert.equal(parseTimestamp('2025-11-15T20:04:05.678Z'), expected);
    assert.equal(parseTimestamp('2025-11-15T15:04:05.678-05:00'), expected);
    assert.equal(parseTimestamp('2025-11-16T01:34:05.678999999+05:30'), expected);
  });

  it('undoes toISOString', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0000-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => assert.equal(parseTimestamp(date.toISOString()), date.getTime()),
      ),
    );
  });

  it('refuses dates that do not exist and moments without a zone', () => {
    for (const wrong of [
      '2025-02-30T00:00:00Z',
      '2025-13-01T00:00:00Z',
      '2025-00-01T00:00:00Z',
      '2025-11-15T24:00:00Z',
      '2025-11-15T20:60:00Z',
      '2025-11-15T20:04:60Z',
      '2025-11-15T20:04:05+24:00',
      '2025-11-15T20:04:05-05:60',
      '2025-11-15T20:04:05',
      '2025-11-15',
      '2025-11-15 20:04:05Z',
      ' 2025-11-15T20:04:05Z',
      '1763237045678',
      '',
    ]) {
      assert.equal(parseTimestamp(wrong), null, wrong);
    }
  });

  it('takes a day for its midnight in Colombia', () => {
    assert.equal(parseDay('2026-01-31'), Date.parse('2026-01-31T05:00:00Z'));
    for (const wrong of ['2026-02-30', '2026-1-31', '2026-01-31T00:00:00Z', ''])
      assert.equal(parseDay(wrong), null);
  });
});
