import { fail, pass, skip } from '../checks.js';
import { type Answer, describeAnswer, isGood, isProblem } from '../probe.js';
import {
  create,
  CREATE_PATH,
  expected,
  newKey,
  orderPath,
  pageOrigin,
  payinPath,
  refusal,
  startBody,
  type Step,
  type Visit,
} from './visit.js';

/** Who may see and pay what: orders, payins, and pages of other sites. */

const ids: Step = {
  id: 'ids',
  title: 'Ids cannot be guessed',
  level: 'full',
  needs: ['create'],
  advice:
    'Make your own ids from 128 random bits or more, for example 22 characters of base64url; never count.',
  async run({ first, attempt }) {
    if (first === undefined || attempt === undefined) return skip('there is no payin');
    const { id } = attempt;
    if (id.length < 22) return fail(`${id.length} characters are too few`);
    if (/^\d+$/.test(id)) return fail('only digits');
    const other = first.attempt.id;
    const shared = [...id].findIndex((letter, index) => letter !== other[index]);
    if (id !== other && shared > id.length / 2)
      return fail(`two of them begin alike: ${id.slice(0, shared)}…`);
    return pass(`${id.length} characters`);
  },
};

const unknownId = refusal({
  id: 'unknown-id',
  title: 'An unknown payin is not found',
  advice: 'Answer 404 not_found for ids you did not give out; never another payer’s payin.',
  status: 404,
  send: ({ probe }) => probe.send(payinPath(crypto.randomUUID().replaceAll('-', '').slice(0, 24))),
});

const unknownOrder: Step = {
  id: 'unknown-order',
  title: 'An unknown order can be neither seen nor paid',
  needs: ['create'],
  advice: 'Answer 404 not_found as problem+json for orders that do not exist or are not this payer’s.',
  async run(visit) {
    const wrong = await accepted(visit, `verify-${crypto.randomUUID()}`);
    return wrong === undefined ? pass('404') : fail(describeAnswer(wrong), undefined, wrong);
  },
};

const orderToken: Step = {
  id: 'order-token',
  title: 'An order whose token was changed can be neither seen nor paid',
  needs: ['create'],
  advice:
    'Check the token’s signature in constant time, or whether the order is of this visitor’s session: otherwise orders can be guessed.',
  async run(visit) {
    for (const token of changedTokens(visit.order)) {
      const wrong = await accepted(visit, token);
      if (wrong !== undefined) {
        return fail(`${describeAnswer(wrong)} for ${token} instead of ${visit.order}`, undefined, wrong);
      }
    }
    return pass('404');
  },
};

/** The order's call and the creation that should both be refused; the first that is not. */
async function accepted(visit: Visit, order: string): Promise<Answer | undefined> {
  if (visit.offer !== undefined) {
    const shown = await visit.probe.send(orderPath(order));
    // Any other 404 would mean that the backend has no offers.
    if (shown.status !== 404 || !isProblem(shown)) return shown;
  }
  const made = await create(visit, startBody({ ...visit, order }), newKey());
  return made.status === 404 ? undefined : made;
}

/** One letter of the signature is another, the signature is missing, or it is another order’s. */
function changedTokens(token: string): readonly string[] {
  const at = Math.max(0, token.length - 8);
  const letter = token[at] === 'a' ? 'b' : 'a';
  const bare = token.slice(0, Math.max(0, token.lastIndexOf('.')));
  return [`${token.slice(0, at)}${letter}${token.slice(at + 1)}`, ...(bare === '' ? [] : [bare])];
}

/** The .invalid domain cannot be registered, so no backend can have listed it. */
export const STRANGER = 'https://stranger.invalid';

/** Begins as the page's own origin does, and is another. */
export const lookAlike = (origin: string) => `${origin}.stranger.invalid`;

const foreignOrigin: Step = {
  id: 'foreign-origin',
  title: 'A page of another site cannot create a payin',
  needs: ['create'],
  advice:
    'Compare Origin, where there is one, with your own pages’, whole and not only how it begins; answer 403 origin_not_allowed.',
  async run(visit) {
    for (const origin of [STRANGER, lookAlike(pageOrigin(visit))]) {
      const answer = await create(visit, startBody(visit), newKey(), { origin });
      if (answer.status !== 403) return fail(`${describeAnswer(answer)} for ${origin}`, undefined, answer);
    }
    return pass('403');
  },
};

const contentType: Step = {
  id: 'content-type',
  title: 'Only JSON creates a payin',
  needs: ['create'],
  advice:
    'Refuse a POST that is not application/json with 415: browsers let any site send text/plain without asking first.',
  async run(visit) {
    const headers = { 'idempotency-key': newKey(), 'content-type': 'text/plain' };
    const body = JSON.stringify(startBody(visit));
    const answer = await visit.probe.send(CREATE_PATH, { method: 'POST', body, headers });
    return expected(!isGood(answer) && answer.status < 500, describeAnswer(answer));
  },
};

export const ACCESS: readonly Step[] = [ids, unknownId, unknownOrder, orderToken, foreignOrigin, contentType];
