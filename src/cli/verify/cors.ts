import { fail, type Finding, pass, skip } from '../checks.js';
import { type Answer, codeOf, describeAnswer, isGood } from '../probe.js';
import { lookAlike, STRANGER } from './access.js';
import { create, CREATE_PATH, orderPath, payinPath, type Step, type Visit } from './visit.js';

/** What a browser asks of a backend whose origin is not the page's. Tried only with the page's origin. */

const ALLOW_ORIGIN = 'access-control-allow-origin';

/** A try with the page's origin, or why there is nothing to try. */
function from(run: (visit: Visit, origin: string) => Promise<Finding>): Step['run'] {
  return async (visit) => {
    const { origin, backend } = visit;
    if (origin === undefined) return skip('--origin was not given');
    if (origin === new URL(backend).origin) return skip('page and backend have the same origin');
    return run(visit, origin);
  };
}

function namesIn(answer: Answer, header: string): readonly string[] {
  return (answer.headers.get(header) ?? '').split(',').map((name) => name.trim().toLowerCase());
}

/** What keeps a page of this origin from reading the answer, or undefined. */
function refusal(answer: Answer, origin: string): string | undefined {
  const allowed = answer.headers.get(ALLOW_ORIGIN);
  if (allowed === origin || allowed === '*') return undefined;
  return `${answer.request}: ${describeAnswer(answer)}, Access-Control-Allow-Origin ${allowed ?? 'absent'}`;
}

const preflight: Step = {
  id: 'cors-preflight',
  title: 'A page of another origin may post',
  advice:
    'Answer OPTIONS with 204, Access-Control-Allow-Origin: the page’s origin and Access-Control-Allow-Headers: content-type, idempotency-key. Browsers send it without cookies and without your headers.',
  run: from(async (visit, origin) => {
    const { answer, asked } = await visit.probe.preflight(CREATE_PATH, origin);
    if (!isGood(answer)) return fail(`${answer.request}: ${describeAnswer(answer)}`);
    const refused = refusal(answer, origin);
    if (refused !== undefined) return fail(refused, undefined, answer);
    const listed = namesIn(answer, 'access-control-allow-headers');
    // A browser never takes the star for this one.
    const isListed = (name: string) =>
      listed.includes(name) || (listed.includes('*') && name !== 'authorization');
    const missing = asked.filter((name) => !isListed(name));
    if (missing.length === 0) return pass(asked.join(', '));
    return fail(
      `${answer.request}: Access-Control-Allow-Headers lacks ${missing.join(', ')}`,
      `Add ${missing.join(', ')} to Access-Control-Allow-Headers.`,
    );
  }),
};

const answers: Step = {
  id: 'cors-answers',
  title: 'A page of another origin can read every answer',
  needs: ['create'],
  advice:
    'Send Access-Control-Allow-Origin: the page’s origin with every answer to it, refusals too. With the kit: allowedOrigins.',
  run: from(async (visit, origin) => {
    const { probe, first } = visit;
    const headers = { origin };
    const seen: Answer[] = [];
    if (visit.offer !== undefined) seen.push(await probe.send(orderPath(visit.order), { headers }));
    if (first !== undefined) {
      // The key of the first creation again: the same payin, and no other is made.
      seen.push(await create(visit, first.body, first.key, headers));
      seen.push(await probe.send(payinPath(first.attempt.id), { headers }));
    }
    seen.push(await probe.send(payinPath(`verify-${crypto.randomUUID()}`), { headers }));
    for (const answer of seen) {
      const refused = refusal(answer, origin);
      if (codeOf(answer) === 'origin_not_allowed')
        return fail(
          refused ?? describeAnswer(answer),
          `Let ${origin} in. With the kit: allowedOrigins.`,
          answer,
        );
      if (refused !== undefined) return fail(refused, undefined, answer);
    }
    return pass(`${seen.length} answers`);
  }),
};

const strangers: Step = {
  id: 'cors-strangers',
  title: 'A page that is not listed cannot use the payer’s cookies',
  advice:
    'Compare Origin with a list of your own pages; never repeat whatever was sent together with Access-Control-Allow-Credentials: true.',
  run: from(async (visit, origin) => {
    for (const stranger of [STRANGER, lookAlike(origin)]) {
      const { answer } = await visit.probe.preflight(CREATE_PATH, stranger);
      const isLetIn = answer.headers.get(ALLOW_ORIGIN) === stranger;
      if (isLetIn && answer.headers.get('access-control-allow-credentials') === 'true')
        return fail(`${answer.request}: ${stranger} is let in, with cookies`);
    }
    return pass('not with cookies');
  }),
};

export const CORS: readonly Step[] = [preflight, answers, strangers];
