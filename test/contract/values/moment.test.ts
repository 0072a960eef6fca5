import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it, vi } from 'vitest';
import { colombianDay, colombianTime, formatMoment } from '../../../src/contract/values/moment.js';

const AT_MS = Date.parse('2025-11-16T02:04:05Z');

describe('a moment as a payer reads it', () => {
  it('is one in Colombia, wherever the payer is', () => {
    assert.equal(formatMoment(AT_MS, 'es', 'long'), '15 de noviembre de 2025, 9:04\u00a0p.\u00a0m.');
    assert.equal(formatMoment(AT_MS, 'es-MX'), '9:04\u00a0p.\u00a0m.');
    const english = formatMoment(AT_MS, 'en', 'long');
    assert.match(english, /November 15, 2025/);
    assert.match(english, /9:04/);
  });

  it('is in Spanish where the page’s language is none', () => {
    assert.equal(formatMoment(AT_MS, 'not a language'), '9:04\u00a0p.\u00a0m.');
  });

  it('has the day, month, year and hour that Intl gives for Bogotá', () => {
    const format = new Intl.DateTimeFormat('es-CO', {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: 'America/Bogota',
    });
    const min = new Date('2000-01-01');
    const max = new Date('2100-01-01');
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        const written = format.format(date).replace(' a las ', ', ').replace(/\s/g, ' ');
        assert.equal(formatMoment(date.getTime(), 'es', 'long').replace(/\s/g, ' '), written);
      }),
      { examples: [[new Date('2026-01-01T04:59:59Z')], [new Date('2026-01-01T17:00:00Z')]] },
    );
  });

  it('makes no formatter for Spanish, which would block the page', async (t) => {
    const names = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const;
    const made = [vi.spyOn(Intl, 'DateTimeFormat'), ...names.map((name) => vi.spyOn(Date.prototype, name))];
    t.onTestFinished(() => made.forEach((each) => each.mockRestore()));
    // Loaded anew, as one that was made before would not be made again.
    const path = '../../../src/contract/values/moment.js?anew';
    const anew = (await import(path)) as typeof import('../../../src/contract/values/moment.js');
    assert.notEqual(anew.formatMoment, formatMoment);
    anew.formatMoment(AT_MS, 'es', 'long');
    for (const { mock } of made) assert.equal(mock.calls.length, 0);
  });

  it('is written for files by Colombian clocks too', () => {
    assert.equal(colombianTime(AT_MS), '2025-11-15T21:04:05');
    assert.equal(colombianDay(AT_MS), '2025-11-15');
  });

  it('is left out where it is none', () => {
    assert.equal(formatMoment(NaN, 'es', 'long'), '');
  });
});
