import type { Collected, MethodFigures, Overview } from '../../contract/merchant/sales.js';
import type { DayFigures, Figures } from './figures.js';

/** What a merchant asks first: how much came in, how many tried, where they stopped and how long it took. */

const DAY_MS = 86_400_000;
const OPEN = new Set(['PENDING', 'PROCESSING']);

/** The first moment of the days that end with today. */
export function startOfDays(now: number, dayCount: number, zoneMs: number): number {
  return (dayNumber(now, zoneMs) - dayCount + 1) * DAY_MS - zoneMs;
}

export function overviewOf(figures: Figures, now: number, dayCount: number, zoneMs: number): Overview {
  const days = daysUntil(figures.days, now, dayCount, zoneMs);
  return {
    dayCount,
    ...collected(days),
    days,
    methods: methodsOf(figures.methods),
    waits: figures.waits,
    reasons: figures.reasons,
  };
}

/** Every day of the last ones, also those without a payment, oldest first. */
export function daysUntil(
  found: readonly DayFigures[],
  now: number,
  dayCount: number,
  zoneMs: number,
): Overview['days'] {
  const today = dayNumber(now, zoneMs);
  return Array.from({ length: dayCount }, (_, index) => {
    const day = today - dayCount + 1 + index;
    const { paid = 0, paidInCents = 0, returnedInCents = 0 } = found.find((each) => each.day === day) ?? {};
    return { date: dateOf(day), paid, paidInCents, returnedInCents };
  });
}

export function collected(days: Overview['days']): Collected {
  const paid = sum(days, 'paid');
  const paidInCents = sum(days, 'paidInCents');
  const returnedInCents = sum(days, 'returnedInCents');
  return {
    paid,
    paidInCents,
    returnedInCents,
    netInCents: paidInCents - returnedInCents,
    // To the peso: the cents of an average say nothing.
    averageInCents: paid === 0 ? null : Math.round(paidInCents / paid / 100) * 100,
  };
}

function methodsOf(methods: Figures['methods']): MethodFigures[] {
  return [...new Set(methods.map(({ rail }) => rail))].map((rail) => {
    const all = methods.filter((each) => each.rail === rail);
    const open = all.filter(({ status }) => OPEN.has(status));
    const ended = all.filter(({ status }) => !OPEN.has(status));
    return {
      rail,
      started: sum(all, 'started'),
      shown: sum(all, 'shown'),
      paid: sum(all, 'paid'),
      declined: Math.max(0, sum(ended, 'shown') - sum(ended, 'paid')),
      open: Math.max(0, sum(open, 'shown') - sum(open, 'paid')),
      failed: sum(all, 'started') - sum(all, 'shown'),
    };
  });
}

export function sum<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

function dayNumber(at: number, zoneMs: number): number {
  return Math.floor((at + zoneMs) / DAY_MS);
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
