import { fail, type Finding, pass, skip } from '../checks.js';
import type { SandboxControl, ServicePayin } from './sandbox-control.js';
import type { Seen, Step, Visit } from './visit.js';

/** What the backend asked of the payment service. Seen only where the sandbox plays it. */

export const NO_SANDBOX = skip('--sandbox was not given');

/** The payins at the service that stand behind an attempt, newest first. */
export async function behind(control: SandboxControl, { reference }: Seen): Promise<readonly ServicePayin[]> {
  return (await control.payins()).filter((payin) => payin.reference === reference);
}

function withFirst(
  run: (payin: ServicePayin, first: NonNullable<Visit['first']>, visit: Visit) => Finding,
): Step['run'] {
  return async (visit) => {
    const { control, first } = visit;
    if (control === undefined || first === undefined) return NO_SANDBOX;
    const [payin] = await behind(control, first.attempt);
    return payin === undefined ? fail('the payin is not there') : run(payin, first, visit);
  };
}

const reached: Step = {
  id: 'service',
  title: 'The payin is at the sandbox, under the reference that the backend says',
  needs: ['create'],
  advice: 'Let the backend use the sandbox that --sandbox names, and pass on the payin’s own reference.',
  run: withFirst((payin) => pass(payin.reference)),
};

const asked: Step = {
  id: 'service-amount',
  title: 'The service was asked for the amount that the payer sees',
  needs: ['service'],
  advice: 'Send amountInCents as integer cents, from the same order that the answer is made of.',
  run: withFirst((payin, { attempt, answers }) =>
    payin.amountInCents === attempt.amountInCents
      ? pass(`${payin.amountInCents} cents`)
      : fail(
          `${payin.amountInCents} cents at the service, ${attempt.amountInCents} in the answer`,
          undefined,
          answers[0],
        ),
  ),
};

const once: Step = {
  id: 'service-once',
  title: 'Two requests at once asked the service for one payin',
  needs: ['service'],
  advice: 'Store the intent in a transaction before you call the service; who finds it stored does not call.',
  async run({ control, first, payinsBefore }) {
    if (control === undefined || first === undefined) return NO_SANDBOX;
    const made = (await control.payins()).filter(({ id }) => !payinsBefore.has(id));
    return made.length === 1 ? pass('one') : fail(`${made.length} payins`, undefined, first.answers[1]);
  },
};

const returnId: Step = {
  id: 'return-id',
  title: 'The bank sends payers back with one id of the payin',
  needs: ['service'],
  advice:
    'Put pay-return={your id} into callbackUrl before you call the service, before any #, in the place of one that is there. A Basic backend may pass the widget’s on.',
  run: withFirst(({ callbackUrl }, { key, attempt, answers }, { level }) => {
    const given = callbackUrl ? new URL(callbackUrl).searchParams.getAll('pay-return') : [];
    const isRight = given[0] === attempt.id || (level === 'basic' && given[0] === key);
    return given.length === 1 && isRight
      ? pass('pay-return')
      : fail(`callbackUrl is ${callbackUrl}`, undefined, answers[0]);
  }),
};

export const SERVICE: readonly Step[] = [reached, asked, once, returnId];
