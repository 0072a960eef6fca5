import { OfferSchema } from '../../contract/backend.js';
import type { BrebMethod, PseMethod } from '../../contract/offer.js';
import { formatMoney } from '../../contract/values/money.js';
import { read } from '../../contract/schema.js';
import { fail, type Finding, pass, skip } from '../checks.js';
import { type Answer, codeOf, describeAnswer, isGood, isProblem } from '../probe.js';
import {
  adoptCurrent,
  attemptIn,
  create,
  CREATE_PATH,
  describeErrors,
  expected,
  isFinding,
  newKey,
  orderPath,
  payinPath,
  refusal,
  startBody,
  type Seen,
  type Step,
  type Visit,
} from './visit.js';

/** The offer, and the first payin. */

const offer: Step = {
  id: 'offer',
  title: 'The offer can be read',
  advice:
    'Answer GET /orders/{order} with the offer of docs/backend.openapi.json, price and methods included.',
  async run(visit) {
    const answer = await visit.probe.send(orderPath(visit.order));
    const isAbsent = [404, 405, 501].includes(answer.status) && !isProblem(answer);
    if (isAbsent && visit.level === 'basic') {
      visit.hasNoOffers = true;
      return skip('the backend has no offers: the attributes of the element stand in');
    }
    if (isAbsent) return fail(`no such call: ${describeAnswer(answer)}`);
    if (answer.status === 404) {
      return fail(
        'the backend knows no such order',
        'Give --order as the page gives it to the element: with the kit that is the token of checkout.orderToken(id).',
      );
    }
    if (answer.status !== 200) return fail(describeAnswer(answer));
    const reading = read(OfferSchema, answer.body);
    if (!reading.ok) return fail(describeErrors(reading.errors));
    visit.offer = reading.value;
    const method = payinMethod(visit);
    if (method === undefined) {
      return fail(
        `no payin method${visit.rail === undefined ? '' : ` with rail ${visit.rail}`} in the offer`,
        'Offer BRE_B or PSE for this order, or name one that is offered with --rail.',
      );
    }
    visit.method = method;
    const { amountInCents, currency, methods } = reading.value;
    return pass(`${formatMoney(amountInCents, currency, 'es')}, ${methods.length} methods`);
  },
};

/** Bre-B where there is a choice, because a payin by PSE cannot be replaced at once. */
function payinMethod({ offer, rail }: Visit): BrebMethod | PseMethod | undefined {
  const methods = (offer?.methods ?? []).filter(
    (each): each is BrebMethod | PseMethod => each.kind === 'PAYIN',
  );
  return (
    methods.find((each) => each.rail === (rail ?? 'BRE_B')) ?? (rail === undefined ? methods[0] : undefined)
  );
}

const creation: Step = {
  id: 'create',
  title: 'A payin can be created, and says so with 201',
  needs: ['offer'],
  advice:
    'Answer POST /payins with 201 and the payin: id, status, rail, reference, amountInCents, sourceData. 202 while the service has not answered; 200 is for a payin that was there before.',
  async run(visit) {
    let key = newKey();
    let body = startBody(visit);
    let answers = await twiceAtOnce(visit, body, key);
    const open = visit.level === 'full' ? openBefore(answers) : undefined;
    if (open !== undefined) {
      // An earlier run left an attempt open. Its key is not ours, so a new one takes its place.
      key = newKey();
      body = startBody(visit, { replaces: open, override: true });
      answers = await twiceAtOnce(visit, body, key);
    }
    const answer = answers.find(({ status }) => status === 201) ?? answers[0];
    const explained = explain(visit, answer);
    if (explained !== undefined) return explained;
    const attempt = attemptIn(visit, answer);
    if (isFinding(attempt)) return attempt;
    if (!answers.some(({ status }) => status === 201 || status === 202)) {
      return fail(`${answer.status} for a new payin`, undefined, answer);
    }
    const payable = await untilPayable(visit, attempt);
    if (isFinding(payable)) return payable;
    visit.first = { key, body, attempt: payable, answers };
    visit.attempt = payable;
    visit.currentId = payable.id;
    return pass(`${answer.status}, ${payable.status}`);
  },
};

/** As when a payer presses twice, or a network repeats a request: before the first is answered. */
function twiceAtOnce(visit: Visit, body: object, key: string): Promise<readonly [Answer, Answer]> {
  const send = () => create(visit, { ...body }, key);
  return Promise.all([send(), send()]);
}

/** The attempt that both requests got because it was open already. */
function openBefore(answers: readonly Answer[]): unknown {
  const [first] = answers;
  const isOld = answers.every(({ status }) => status === 200);
  return isOld ? (Object(first?.body) as { id?: unknown }).id : undefined;
}

/** An order that cannot be tried is not the backend's fault. */
function explain(visit: Visit, answer: Answer): Finding | undefined {
  switch (codeOf(answer)) {
    case 'already_paid':
      return fail('the order is paid', 'Give an order that is still to be paid with --order.', answer);
    case 'too_many_attempts':
      return fail('the order has used all its attempts', 'Give a fresh order with --order.', answer);
    case 'pse_in_progress':
      return fail('a PSE payment of the order is in progress', 'Give a fresh order with --order.', answer);
    case 'return_url_not_allowed':
      return fail(
        `the backend refuses ${visit.callbackUrl} as a return address`,
        'Give one it allows with --callback-url, or add this one to allowedReturnUrls.',
        answer,
      );
    default:
      return undefined;
  }
}

const PAYABLE_TRIES = 20;
const BETWEEN_TRIES_MS = 1_000;

/** After a 202 the rest comes with later reads. */
export async function untilPayable(visit: Visit, created: Seen): Promise<Seen | Finding> {
  let attempt = created;
  for (let tries = 0; !attempt.isPayable; tries++) {
    if (tries >= PAYABLE_TRIES) {
      return fail(
        'sourceData never came',
        'Read the payin at the service again until its sourceData is there.',
      );
    }
    await visit.probe.pause(BETWEEN_TRIES_MS);
    const next = attemptIn(visit, await visit.probe.send(payinPath(attempt.id)));
    if (isFinding(next)) return next;
    attempt = next;
  }
  return attempt;
}

const price: Step = {
  id: 'price',
  title: 'The payin asks for the price of the offer, in cents',
  needs: ['create'],
  advice: 'Take the price from the order on the server, as integer cents: $ 42.900 is 4290000.',
  async run({ first, offer }) {
    if (offer === undefined) return skip('without an offer there is no price to compare with');
    const amountInCents = first?.attempt.amountInCents;
    const found = `${amountInCents} cents`;
    return amountInCents === offer.amountInCents
      ? pass(found)
      : fail(`${found}, but the offer says ${offer.amountInCents}`, undefined, first?.answers[0]);
  },
};

const idempotency: Step = {
  id: 'idempotency',
  title: 'The same Idempotency-Key gives the same payin, also twice at once',
  needs: ['create'],
  advice:
    'Store the key with the payin it made before you call the service, in one transaction, and answer a repetition with that payin.',
  async run(visit) {
    const { first } = visit;
    if (first === undefined) return skip('there is no payin');
    const later = await create(visit, first.body, first.key);
    for (const [when, answer] of [
      ...first.answers.map((each) => ['of two at once', each] as const),
      ['later', later] as const,
    ]) {
      const again = attemptIn(visit, answer);
      if (isFinding(again)) return again;
      if (again.id === first.attempt.id) continue;
      await adoptCurrent(visit);
      return fail(`another payin, ${when}: ${first.attempt.id}, then ${again.id}`, undefined, answer);
    }
    return pass('one payin for three requests');
  },
};

const mismatch: Step = {
  id: 'idempotency-mismatch',
  title: 'The same key for another request is refused',
  level: 'full',
  needs: ['create'],
  advice:
    'Store what a key was used for (order, rail, key type or bank, replaces); answer 422 idempotency_mismatch when it differs.',
  async run(visit) {
    const { first } = visit;
    if (first === undefined) return skip('there is no payin');
    const answer = await create(visit, { ...first.body, replaces: first.attempt.id }, first.key);
    if (isGood(answer)) await adoptCurrent(visit);
    const isRefused = answer.status === 422 && codeOf(answer) !== 'method_unavailable';
    return expected(isRefused, describeAnswer(answer), answer);
  },
};

const otherOrder: Step = {
  id: 'idempotency-order',
  title: 'A key that was used for one order is not taken for another',
  needs: ['create'],
  advice:
    'Store the order with the key; answer 422 idempotency_mismatch for another order, never with the payin of the first.',
  async run(visit) {
    const { first } = visit;
    const [order] = visit.ordersLeft;
    if (first === undefined || order === undefined) return skip('there is only one order');
    const other = { ...visit, order, ...(await offerOf(visit, order)) };
    const answer = await create(visit, startBody(other), first.key);
    if (visit.level === 'full') {
      const isRefused = answer.status === 422 && codeOf(answer) === 'idempotency_mismatch';
      return expected(isRefused, describeAnswer(answer), answer);
    }
    if (!isGood(answer)) return expected(answer.status < 500, describeAnswer(answer), answer);
    const made = attemptIn(visit, answer);
    if (isFinding(made)) return made;
    if (made.id === first.attempt.id || made.reference === first.attempt.reference)
      return fail('the payin of another order', undefined, answer);
    return pass('a payin of its own');
  },
};

async function offerOf({ probe }: Visit, order: string): Promise<Pick<Visit, 'offer'>> {
  const reading = read(OfferSchema, (await probe.send(orderPath(order))).body);
  return reading.ok ? { offer: reading.value } : {};
}

const keyRequired = refusal({
  id: 'key-required',
  title: 'A creation without Idempotency-Key is refused',
  needs: ['create'],
  advice: 'Answer 400 idempotency_key_missing when the header is absent or malformed.',
  status: 400,
  send: (visit) => create(visit, startBody(visit), null),
});

const bodyChecked: Step = {
  id: 'body-checked',
  title: 'A body that makes no sense is refused',
  needs: ['create'],
  advice: 'Check the body before you use it; answer 400 invalid_request.',
  async run(visit) {
    const incomplete = await create(visit, { order: visit.order }, newKey());
    const headers = { 'idempotency-key': newKey() };
    const noJson = await visit.probe.send(CREATE_PATH, { method: 'POST', body: '{"order":', headers });
    const wrong = [incomplete, noJson].find(({ status }) => status < 400 || status > 499);
    return wrong === undefined ? pass('twice') : fail(describeAnswer(wrong), undefined, wrong);
  },
};

export const CREATING: readonly Step[] = [offer, creation, price, idempotency];
/** After the payins at the service were counted: a backend that gets these wrong makes more of them. */
export const REFUSING: readonly Step[] = [mismatch, otherOrder, keyRequired, bodyChecked];
