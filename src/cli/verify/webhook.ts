import { fail, pass, skip } from '../checks.js';
import { describeAnswer, isGood } from '../probe.js';
import { attemptIn, expected, isFinding, payinPath, type Step, type Visit } from './visit.js';

/** The address where the payment service delivers its events. Tried only with the secret that is set there. */

const NO_SECRET = skip('--webhook-secret was not given');

function deliver({ probe }: Visit, body: object | string, headers: Record<string, string>) {
  return probe.send('/webhooks', { method: 'POST', body, headers });
}

/** Claims that the current payin is paid, which it is not. */
function falseClaim({ attempt }: Visit): object {
  const now = new Date().toISOString();
  return {
    event: 'payin.confirmed',
    resource: 'payin',
    data: {
      id: attempt?.id ?? crypto.randomUUID(),
      reference: attempt?.reference ?? crypto.randomUUID(),
      amount: (attempt?.amountInCents ?? 100) / 100,
      currency: 'COP',
      status: 'CONFIRMED',
      createdAt: now,
      updatedAt: now,
      resultAt: now,
    },
  };
}

const header: Step = {
  id: 'webhook-header',
  title: 'An event without the secret header is refused',
  advice: 'Compare the header with your secret in constant time before you read the body; answer 401.',
  async run(visit) {
    if (visit.webhook === undefined) return NO_SECRET;
    const { header: name } = visit.webhook;
    const without = await deliver(visit, falseClaim(visit), {});
    if (without.status !== 401) return fail(`without the header: ${describeAnswer(without)}`);
    const wrong = await deliver(visit, falseClaim(visit), { [name]: 'not-the-secret' });
    return wrong.status === 401 ? pass('401') : fail(`with a wrong value: ${describeAnswer(wrong)}`);
  },
};

const unknownEvent: Step = {
  id: 'webhook-event',
  title: 'Events are acknowledged, unknown ones too',
  advice: 'Answer 2xx once the event is stored; an event with a new name is acknowledged and ignored.',
  async run(visit) {
    if (visit.webhook === undefined) return NO_SECRET;
    const { header: name, secret } = visit.webhook;
    const unknown = { event: 'verify.ping', resource: 'verify', data: {} };
    const answer = await deliver(visit, unknown, { [name]: secret });
    if (answer.status === 401) {
      return fail('the secret is refused', 'Give the value that the backend expects with --webhook-secret.');
    }
    return expected(isGood(answer), describeAnswer(answer));
  },
};

const unreadable: Step = {
  id: 'webhook-unreadable',
  title: 'A body that is no event is refused',
  needs: ['webhook-event'],
  advice: 'Answer 400 webhook_unreadable; a 5xx makes the service send it again and again.',
  async run(visit) {
    if (visit.webhook === undefined) return NO_SECRET;
    const { header: name, secret } = visit.webhook;
    const answer = await deliver(visit, '{"event":', { [name]: secret });
    return expected(answer.status === 400, describeAnswer(answer));
  },
};

const LOOKS = 3;
const BETWEEN_LOOKS_MS = 500;

const forged: Step = {
  id: 'webhook-forged',
  title: 'An event alone never makes a payin paid',
  needs: ['create', 'webhook-event'],
  advice: 'Take an event as a hint: read the payin from the service, and believe only that.',
  async run(visit) {
    if (visit.webhook === undefined) return NO_SECRET;
    if (visit.attempt === undefined) return skip('there is no payin to try it with');
    const { header: name, secret } = visit.webhook;
    const before = attemptIn(visit, await visit.probe.send(payinPath(visit.attempt.id)));
    if (isFinding(before)) return before;
    if (before.status === 'CONFIRMED') return skip('the payin was really paid meanwhile');
    const answer = await deliver(visit, falseClaim(visit), { [name]: secret });
    if (!isGood(answer)) return fail(describeAnswer(answer));
    for (let looks = 0; looks < LOOKS; looks++) {
      const now = attemptIn(visit, await visit.probe.send(payinPath(visit.attempt.id)));
      if (isFinding(now)) return now;
      if (now.status === 'CONFIRMED') return fail('a made-up event confirmed the payin');
      await visit.probe.pause(BETWEEN_LOOKS_MS);
    }
    return pass('not believed');
  },
};

export const WEBHOOK: readonly Step[] = [header, unknownEvent, unreadable, forged];
