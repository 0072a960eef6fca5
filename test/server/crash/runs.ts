import { isLong } from '../../support/long.js';
import { type Life, live, type Verdict } from './harness.js';

/** Places to die, counted from 1: all of them in a long run, otherwise so many spread over the whole. */
export function placesOf(total: number, sample: number): number[] {
  if (isLong || total <= sample) return Array.from({ length: total }, (_, index) => index + 1);
  return Array.from({ length: sample }, (_, index) => 1 + Math.round((index * (total - 1)) / (sample - 1)));
}

/** Both sides of each place in a long run, in turns otherwise. */
export function sidesOf(index: number): readonly ('before' | 'after')[] {
  if (isLong) return ['before', 'after'];
  return [index % 2 === 0 ? 'after' : 'before'];
}

export interface Finding {
  readonly place: string;
  readonly verdict: Verdict;
}

/** Lives all of these lives, two at a time where they do not share a server that may die. */
export async function liveAll(
  lives: readonly { readonly place: string; readonly life: (run: typeof live) => Promise<Verdict> }[],
  atOnce: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const waiting = [...lives];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      findings.push({ place: next.place, verdict: await next.life(live) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return findings;
}

/** One line for each place where something went wrong. */
export function defectsOf(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ place, verdict }) => verdict.defects.map((defect) => `${place}: ${defect}`));
}

export function survivors(findings: readonly Finding[]): string[] {
  return findings.filter(({ verdict }) => verdict.points !== undefined).map(({ place }) => place);
}

export type Scenario = Life['scenario'];
export const SCENARIOS: readonly Scenario[] = ['create', 'webhook', 'refund'];
/** For deaths between the places that every scenario dies at in every run. */
export const RARER = isLong ? SCENARIOS : SCENARIOS.slice(0, 1);
