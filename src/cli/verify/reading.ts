import { LinkAttemptSchema } from '../../contract/backend.js';
import { PROBLEMS, type ProblemCode } from '../../contract/problems.js';
import { read } from '../../contract/schema.js';
import { type Answer, codeOf, describeAnswer, isProblem } from '../probe.js';
import {
  attemptIn,
  describeErrors,
  fail,
  isVerdict,
  newKey,
  NO_PAYIN,
  pass,
  payinPath,
  skip,
  type Step,
  TEST_CUSTOMER,
} from './visit.js';

/** Status reads, links, and what holds for every answer. */

const status: Step = {
  id: 'status',
  title: 'The payin can be read',
  level: 'both',
  fix: 'Answer GET /payins/{id} with the same payin as its creation did, as it stands now.',
  async run(visit) {
    if (visit.attempt === undefined) return NO_PAYIN;
    const { id, amountInCents } = visit.attempt;
    const now = attemptIn(visit, await visit.probe.send(payinPath(id)));
    if (isVerdict(now)) return now;
    if (now.id !== id) return fail(`asked for ${id}, got ${now.id}`);
    if (now.amountInCents !== amountInCents) return fail(`the amount became ${now.amountInCents} cents`);
    visit.attempt = now;
    return pass(now.status);
  },
};

const ids: Step = {
  id: 'ids',
  title: 'Ids cannot be guessed',
  level: 'full',
  fix: 'Make your own ids from 128 random bits or more, for example 22 characters of base64url; never count.',
  async run({ first, attempt }) {
    if (first === undefined || attempt === undefined) return NO_PAYIN;
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

const WAIT_SECONDS = 1;
/** Timers may fire a little early, and versions may move on while we wait. */
const HELD_AT_LEAST_MS = WAIT_SECONDS * 800;
const WAITING_TRIES = 5;

const waiting: Step = {
  id: 'waiting',
  title: 'A read waits for news when asked to',
  level: 'both',
  fix: 'Hold GET /payins/{id}?after={version}&wait={seconds} while the version is `after`, then answer with waited: true.',
  async run(visit) {
    if (visit.attempt === undefined) return NO_PAYIN;
    for (let tries = 0; tries < WAITING_TRIES; tries++) {
      const { id, version } = visit.attempt;
      const query = `?after=${encodeURIComponent(version ?? 'none')}&wait=${WAIT_SECONDS}`;
      const answer = await visit.probe.send(payinPath(id) + query);
      const now = attemptIn(visit, answer);
      if (isVerdict(now)) return now;
      if (visit.level === 'basic') return pass(now.waited ? 'it waits' : 'the parameters are ignored');
      if (now.version === version) {
        if (!now.waited) return fail('answered without waited: true');
        const heldMs = Math.round(answer.tookMs);
        return heldMs >= HELD_AT_LEAST_MS
          ? pass(`held for ${heldMs} ms`)
          : fail(`says waited, but answered after ${heldMs} ms with nothing new`);
      }
      visit.attempt = now;
    }
    return fail(
      'the version differs at every read',
      'Change `version` only when something changed that the payer can see.',
    );
  },
};

const LONG_WAIT_SECONDS = 20;
/** Enough for a slow backend, and far from what a held answer would take. */
const AT_ONCE_MS = 10_000;

const conditional: Step = {
  id: 'conditional',
  title: 'A read that already has news is answered at once',
  level: 'both',
  fix: 'Compare `after` with the current version first, and hold the answer only when they are the same.',
  async run(visit) {
    if (visit.attempt === undefined) return NO_PAYIN;
    const query = `?after=an-old-version&wait=${LONG_WAIT_SECONDS}`;
    const answer = await visit.probe.send(payinPath(visit.attempt.id) + query);
    const now = attemptIn(visit, answer);
    if (isVerdict(now)) return now;
    const tookMs = Math.round(answer.tookMs);
    return tookMs < AT_ONCE_MS ? pass(`${tookMs} ms`) : fail(`held for ${tookMs} ms although there was news`);
  },
};

const unknownOrder: Step = {
  id: 'unknown-order',
  title: 'An unknown order is not found',
  level: 'both',
  fix: 'Answer 404 not_found as problem+json for orders that do not exist or are not this payer’s.',
  async run({ probe, offer }) {
    if (offer === undefined) return skip('there is no offer');
    const answer = await probe.send(`/orders/verify-${crypto.randomUUID()}`);
    return answer.status === 404 && isProblem(answer) ? pass('404') : fail(describeAnswer(answer));
  },
};

const unknownId: Step = {
  id: 'unknown-id',
  title: 'An unknown payin is not found',
  level: 'both',
  fix: 'Answer 404 not_found for ids you did not give out; never somebody else’s payin.',
  async run({ probe }) {
    const answer = await probe.send(payinPath(crypto.randomUUID().replaceAll('-', '').slice(0, 24)));
    return answer.status === 404 ? pass('404') : fail(describeAnswer(answer));
  },
};

const link: Step = {
  id: 'payment-link',
  title: 'A payment link can be created and read',
  level: 'full',
  fix: 'Answer POST /payment-links and GET /payment-links/{id} with an attempt of kind PAYMENT_LINK.',
  async run(visit) {
    const { probe, offer, attempt, order, callbackUrl } = visit;
    const method = offer?.methods.find((each) => each.kind === 'PAYMENT_LINK');
    if (offer === undefined || method?.kind !== 'PAYMENT_LINK') return skip('the offer has none');
    const answer = await probe.send('/payment-links', {
      method: 'POST',
      headers: { 'idempotency-key': newKey() },
      body: {
        order,
        offerVersion: offer.version,
        callbackUrl,
        ...(method.rail === null ? {} : { rail: method.rail }),
        ...(method.bank === null ? {} : { pse: { bank: method.bank } }),
        ...(attempt === undefined ? {} : { replaces: attempt.id }),
      },
    });
    if (codeOf(answer) === 'pse_in_progress')
      return skip('a PSE payin is locked once its address was handed out');
    const made = read(LinkAttemptSchema, answer.body);
    if (!made.ok) return fail(answer.status < 300 ? describeErrors(made.errors) : describeAnswer(answer));
    const again = await probe.send(`/payment-links/${encodeURIComponent(made.value.id)}`);
    const reading = read(LinkAttemptSchema, again.body);
    if (!reading.ok) return fail(`${again.request}: ${describeErrors(reading.errors)}`);
    return pass(reading.value.status);
  },
};

/** Names that the payment service uses for what belongs to the payer or to the merchant's account. */
const PERSONAL_NAMES = ['inlineCustomer', 'idNumber', 'documentNumber', 'bankAccountNumber'];
const PERSONAL_VALUES = [TEST_CUSTOMER.phone, TEST_CUSTOMER.email, TEST_CUSTOMER.name];

const personal: Step = {
  id: 'private',
  title: 'Nothing of the payer or of your account reaches the browser',
  level: 'both',
  fix: 'Strip inlineCustomer and organizationId from the payin before you pass it on.',
  async run({ probe, level }) {
    for (const { body, request } of probe.answers) {
      const found = leakIn(body, level === 'full' ? [...PERSONAL_NAMES, 'organizationId'] : PERSONAL_NAMES);
      if (found !== undefined) return fail(`${found} in the answer to ${request}`);
    }
    return pass(`${probe.answers.length} answers`);
  },
};

/** The name of a member that should not be there. Hints are masked words under the same names. */
function leakIn(value: unknown, names: readonly string[]): string | undefined {
  if (typeof value === 'string') return PERSONAL_VALUES.find((each) => value.includes(each));
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'hints' || name === 'requires' || member === null) continue;
    const leak = names.includes(name) ? name : leakIn(member, names);
    if (leak !== undefined) return leak;
  }
  return undefined;
}

const errors: Step = {
  id: 'errors',
  title: 'Every refusal is problem+json with a code of the contract',
  level: 'both',
  fix: 'Answer refusals as application/problem+json with type, title, status and a code of docs/problems.md.',
  async run({ probe }) {
    const refusals = probe.answers.filter((answer) => answer.status >= 400 && !isMissingCall(answer));
    for (const refusal of refusals) {
      const code = codeOf(refusal);
      const found = `${refusal.request}: ${describeAnswer(refusal)}`;
      if (!isProblem(refusal)) return fail(found);
      if (code === undefined) return fail(`${found} without a code`);
      const { status } = PROBLEMS[code as ProblemCode];
      if (status !== refusal.status) return fail(`${found}, but ${code} is ${status}`);
    }
    return pass(`${refusals.length} refusals`);
  },
};

/** A Basic backend says so by answering the offer with a 404 of its web server. */
function isMissingCall(answer: Answer): boolean {
  return answer.request.startsWith('GET /orders/') && !isProblem(answer);
}

const headers: Step = {
  id: 'headers',
  title: 'No answer may be cached, and all are JSON',
  level: 'both',
  fix: 'Send Cache-Control: no-store and Content-Type: application/json with every answer.',
  async run({ probe }) {
    for (const answer of probe.answers) {
      if (isMissingCall(answer)) continue;
      const cache = answer.headers.get('cache-control') ?? 'absent';
      if (!cache.toLowerCase().includes('no-store')) return fail(`${answer.request}: Cache-Control ${cache}`);
      const type = answer.headers.get('content-type') ?? 'absent';
      if (answer.status < 300 && !type.toLowerCase().startsWith('application/json')) {
        return fail(`${answer.request}: Content-Type ${type}`);
      }
    }
    return pass(`${probe.answers.length} answers`);
  },
};

export const READING: readonly Step[] = [status, ids, waiting, conditional, unknownId, unknownOrder];
/** After everything else, because these look at all the answers there were. */
export const LAST: readonly Step[] = [link, personal, errors, headers];
