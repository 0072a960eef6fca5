import { createProbe, NoAnswerError, type ProbeSetup } from '../probe.js';
import { CORS } from './cors.js';
import { CREATING } from './creating.js';
import { LAST, READING } from './reading.js';
import { fail, type Step, type Verdict, type Visit, type VisitOptions } from './visit.js';
import { WEBHOOK } from './webhook.js';

const STEPS: readonly Step[] = [...CREATING, ...READING, ...WEBHOOK, ...CORS, ...LAST];

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly outcome: Verdict['outcome'];
  /** What was seen. */
  readonly found: string;
  /** What to do about it; null unless it failed. */
  readonly fix: string | null;
}

/** Goes through the contract step by step. `done` is told of each line as soon as it is known. */
export async function verifyBackend(
  options: VisitOptions & ProbeSetup,
  done: (result: CheckResult) => void = () => undefined,
): Promise<readonly CheckResult[]> {
  const visit: Visit = { ...options, probe: createProbe(options) };
  const results: CheckResult[] = [];
  for (const step of STEPS) {
    if (step.level === 'full' && options.level === 'basic') continue;
    const verdict = await judge(step, visit);
    const { id, title } = step;
    const { outcome, found } = verdict;
    const fix = verdict.outcome === 'fail' ? (verdict.fix ?? step.fix) : null;
    const result = { id, title, outcome, found, fix };
    results.push(result);
    done(result);
    // Nobody is there: every further step would only say so again.
    if (visit.probe.answers.length === 0) break;
  }
  return results;
}

async function judge(step: Step, visit: Visit): Promise<Verdict> {
  try {
    return await step.run(visit);
  } catch (error) {
    if (error instanceof NoAnswerError) {
      const fix =
        visit.probe.answers.length === 0
          ? 'Start the backend, or give its address as the page does.'
          : undefined;
      return fail(error.message, fix);
    }
    throw error;
  }
}
