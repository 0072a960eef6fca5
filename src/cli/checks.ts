import { type Answer, NoAnswerError, type Probe } from './probe.js';
import { paint } from './paint.js';

/**
 * A list of checks that run one after another, and the table of their results. `verify` is one such list, `doctor`
 * another.
 */

export interface Finding {
  readonly outcome: 'pass' | 'fail' | 'skip';
  /** What was seen. */
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
  /** The answer that shows a failure; the check's last one when absent. */
  readonly answer?: Answer | undefined;
}

export interface Check<Context> {
  readonly id: string;
  readonly title: string;
  /** What to do when it fails; a finding may say it more exactly. */
  readonly advice?: string;
  /** Checks without which this one cannot be tried. */
  readonly needs?: readonly string[];
  run(context: Context): Promise<Finding>;
}

export interface Result {
  readonly id: string;
  readonly title: string;
  readonly outcome: Finding['outcome'];
  readonly found: string;
  readonly advice: string | null;
  /** The failed check that is the reason for not trying this one. */
  readonly because: string | null;
  /** What was sent and what came back when it failed. */
  readonly exchange: Exchange | null;
}

export interface Exchange {
  readonly sent: string;
  readonly received: string;
}

export const pass = (found: string, advice?: string): Finding => ({ outcome: 'pass', found, advice });
export const skip = (found: string, advice?: string): Finding => ({ outcome: 'skip', found, advice });
export const fail = (found: string, advice?: string, answer?: Answer): Finding => ({
  outcome: 'fail',
  found,
  advice,
  answer,
});

const NOBODY_THERE = 'Start it, or give its address as the page does.';

/** `done` gets each result as soon as it is known. Stops when no request gets an answer. */
export async function runChecks<Context extends { readonly probe: Probe }>(
  checks: readonly Check<Context>[],
  context: Context,
  done: (result: Result) => void = () => undefined,
): Promise<readonly Result[]> {
  const { probe } = context;
  const results = new Map<string, Result>();
  for (const check of checks) {
    const result = blocked(check, results) ?? (await runOne(check, context));
    results.set(check.id, result);
    done(result);
    if (probe.answers.length === 0) break;
  }
  return [...results.values()];
}

/** The result of a check that cannot be tried, named after the one failure behind it. */
function blocked<Context>(check: Check<Context>, results: ReadonlyMap<string, Result>): Result | undefined {
  for (const need of check.needs ?? []) {
    const before = results.get(need);
    const cause = before?.outcome === 'fail' ? need : (before?.because ?? undefined);
    if (cause === undefined) continue;
    const { id, title } = check;
    return {
      id,
      title,
      outcome: 'skip',
      found: `${cause} failed`,
      advice: null,
      because: cause,
      exchange: null,
    };
  }
  return undefined;
}

async function runOne<Context extends { readonly probe: Probe }>(
  check: Check<Context>,
  context: Context,
): Promise<Result> {
  const { id, title } = check;
  const { answers } = context.probe;
  const before = answers.length;
  const { outcome, found, advice, answer } = await attempt(check, context);
  const shown = answer ?? (answers.length > before ? answers.at(-1) : undefined);
  return {
    id,
    title,
    outcome,
    found,
    advice: advice ?? (outcome === 'fail' ? (check.advice ?? null) : null),
    because: null,
    exchange: outcome === 'fail' && shown !== undefined ? exchangeOf(shown) : null,
  };
}

async function attempt<Context extends { readonly probe: Probe }>(
  check: Check<Context>,
  context: Context,
): Promise<Finding> {
  try {
    return await check.run(context);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return fail(error.message, context.probe.answers.length === 0 ? NOBODY_THERE : undefined);
  }
}

const LONGEST_EXCERPT = 400;

function exchangeOf({ sent, status, headers, text }: Answer): Exchange {
  const type = headers.get('content-type') ?? 'no content type';
  return { sent, received: `${status} ${type}${text === '' ? '' : `\n${excerpt(text)}`}` };
}

function excerpt(text: string): string {
  // A picture in an answer would hide the rest of it.
  const short = text.replaceAll(/data:image\/png;base64,[A-Za-z0-9+/=]+/g, 'data:image/png;base64,…');
  return short.length > LONGEST_EXCERPT ? `${short.slice(0, LONGEST_EXCERPT)}…` : short;
}

export function count(results: readonly Result[]) {
  const of = (outcome: Finding['outcome']) => results.filter((each) => each.outcome === outcome).length;
  return { passed: of('pass'), failed: of('fail'), skipped: of('skip') };
}

const ID_WIDTH = 20;
const TITLE_WIDTH = 66;

/** One result as lines of the table; nothing for what was not tried, which `summary` names by its reason. */
export function line({ id, title, outcome, found, advice, exchange }: Result): string {
  if (outcome === 'skip') return '';
  const mark = outcome === 'pass' ? paint('green', 'ok  ') : paint('red', 'FAIL');
  const indent = ' '.repeat(ID_WIDTH + 6);
  const row = `${mark}  ${id.padEnd(ID_WIDTH)}  ${title.padEnd(TITLE_WIDTH)}  ${paint('dim', found)}\n`;
  const details = [
    ...(advice === null ? [] : [`→ ${advice}`]),
    ...(exchange === null ? [] : [...block('sent', exchange.sent), ...block('received', exchange.received)]),
  ];
  return row + details.map((each) => `${indent}${each}\n`).join('');
}

function block(name: string, text: string): string[] {
  return text
    .split('\n')
    .map((each, index) => `${(index === 0 ? name : '').padEnd(9)} ${paint('dim', each)}`);
}

/** What was not tried, once per reason, and the count. */
export function summary(results: readonly Result[]): string {
  const reasons = new Map<string, Result[]>();
  for (const result of results) {
    if (result.outcome !== 'skip') continue;
    reasons.set(result.found, [...(reasons.get(result.found) ?? []), result]);
  }
  const untried = [...reasons].map(([reason, [first, ...more]]) => {
    const names = [first, ...more].map((each) => each?.id).join(', ');
    const advice = first?.advice ?? null;
    return `-     Not tried, ${reason}: ${names}${advice === null ? '' : `\n      → ${advice}`}\n`;
  });
  const { passed, failed, skipped } = count(results);
  return `${paint('dim', untried.join(''))}\n${passed} passed, ${failed} failed, ${skipped} not tried\n`;
}
