import { type BrebMethod, OfferSchema, type PseMethod } from '../../contract/backend.js';
import { formatMoney } from '../../contract/money.js';
import { read } from '../../contract/schema.js';
import { codeOf, describeAnswer, isProblem } from '../probe.js';
import {
  attemptIn,
  create,
  CREATE_PATH,
  describeErrors,
  fail,
  isVerdict,
  newKey,
  NO_PAYIN,
  pass,
  payinPath,
  skip,
  startBody,
  type Seen,
  type Step,
  type Verdict,
  type Visit,
} from './visit.js';

/** The offer, and everything about POST /payins. */

const offer: Step = {
  id: 'offer',
  title: 'The offer can be read',
  level: 'both',
  fix: 'Answer GET /orders/{order} with the offer of docs/backend.openapi.json, price and methods included.',
  async run(visit) {
    const answer = await visit.probe.send(`/orders/${encodeURIComponent(visit.order)}`);
    const isAbsent = [404, 405, 501].includes(answer.status) && !isProblem(answer);
    if (isAbsent && visit.level === 'basic') {
      visit.hasNoOffers = true;
      return skip('no offer: the attributes of the element stand in');
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

/** Bre-B where there is a choice: nobody has to be sent to a bank to replace one. */
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
  title: 'A payin can be created',
  level: 'both',
  fix: 'Answer POST /payins with 201 and the payin: id, status, rail, reference, amountInCents, sourceData.',
  async run(visit) {
    if (visit.offer === undefined && !visit.hasNoOffers) return skip('the offer comes first');
    let key = newKey();
    let body = startBody(visit);
    let answer = await create(visit, body, key);
    if (answer.status === 200 && visit.level === 'full') {
      // An earlier try left a payin open. Its key is not ours, so a new one takes its place.
      const { id: replaces } = Object(answer.body) as { id?: unknown };
      key = newKey();
      body = startBody(visit, { replaces });
      answer = await create(visit, body, key);
    }
    switch (codeOf(answer)) {
      case 'already_paid':
        return fail('the order is paid', 'Give an order that is still to be paid with --order.');
      case 'too_many_attempts':
        return fail('the order has used all its attempts', 'Give a fresh order with --order.');
      case 'pse_in_progress':
        return fail('a PSE payment of the order is in progress', 'Give a fresh order with --order.');
      case 'return_url_not_allowed':
        return fail(
          `the backend refuses ${visit.callbackUrl} as a return address`,
          'Give one it allows with --callback-url, or add this one to allowedReturnUrls.',
        );
      default:
    }
    const attempt = attemptIn(visit, answer);
    if (isVerdict(attempt)) return attempt;
    const payable = await untilPayable(visit, attempt);
    if (isVerdict(payable)) return payable;
    visit.first = { key, body, attempt: payable };
    visit.attempt = payable;
    return pass(`${answer.status}, ${payable.status}`);
  },
};

const PAYABLE_TRIES = 20;
const BETWEEN_TRIES_MS = 1_000;

/** After a 202 the rest comes with later reads. */
async function untilPayable(visit: Visit, created: Seen): Promise<Seen | Verdict> {
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
    if (isVerdict(next)) return next;
    attempt = next;
  }
  return attempt;
}

const price: Step = {
  id: 'price',
  title: 'The payin asks for the price of the offer, in cents',
  level: 'both',
  fix: 'Take the price from the order on the server, as integer cents: $ 42.900 is 4290000.',
  async run({ attempt, offer }) {
    if (attempt === undefined) return NO_PAYIN;
    if (offer === undefined) return skip('without an offer there is nothing to compare with');
    const found = `${attempt.amountInCents} cents`;
    return attempt.amountInCents === offer.amountInCents
      ? pass(found)
      : fail(`${found}, but the offer says ${offer.amountInCents}`);
  },
};

const idempotency: Step = {
  id: 'idempotency',
  title: 'The same Idempotency-Key gives the same payin, also twice at once',
  level: 'both',
  fix: 'Store the key with the payin it made before you call the service, and answer a repetition with that payin.',
  async run(visit) {
    if (visit.first === undefined) return NO_PAYIN;
    const { key, body, attempt } = visit.first;
    const answers = await Promise.all([create(visit, body, key), create(visit, body, key)]);
    for (const answer of answers) {
      const again = attemptIn(visit, answer);
      if (isVerdict(again)) return again;
      if (again.id !== attempt.id) return fail(`another payin: ${attempt.id}, then ${again.id}`);
    }
    return pass('one payin for three requests');
  },
};

const mismatch: Step = {
  id: 'idempotency-mismatch',
  title: 'The same key for another request is refused',
  level: 'full',
  fix: 'Store what a key was used for (order, rail, key type or bank, replaces); answer 422 idempotency_mismatch when it differs.',
  async run(visit) {
    if (visit.first === undefined) return NO_PAYIN;
    const { key, body, attempt } = visit.first;
    const answer = await create(visit, { ...body, replaces: attempt.id }, key);
    return expected(answer.status === 422 && codeOf(answer) !== 'method_unavailable', describeAnswer(answer));
  },
};

const oneAttempt: Step = {
  id: 'one-attempt',
  title: 'A second tab gets the payin that is already open',
  level: 'full',
  fix: 'Answer POST /payins without `replaces` with 200 and the open attempt of the order, whatever the key.',
  async run(visit) {
    if (visit.attempt === undefined) return NO_PAYIN;
    const again = attemptIn(visit, await create(visit, startBody(visit), newKey()));
    if (isVerdict(again)) return again;
    return expected(
      again.id === visit.attempt.id,
      again.id === visit.attempt.id ? 'the same' : 'a second payin',
    );
  },
};

const resume: Step = {
  id: 'resume',
  title: 'The offer carries the open payin, for other devices',
  level: 'full',
  fix: 'Put the current attempt, or the one that paid, into `attempt` of the offer.',
  async run(visit) {
    if (visit.attempt === undefined) return NO_PAYIN;
    const { body } = await visit.probe.send(`/orders/${encodeURIComponent(visit.order)}`);
    const { attempt } = Object(body) as { attempt?: { id?: unknown } | null };
    return expected(attempt?.id === visit.attempt.id, attempt ? 'it is there' : 'attempt is missing');
  },
};

const noAmount: Step = {
  id: 'no-amount',
  title: 'No amount is accepted from the browser',
  level: 'both',
  fix: 'Ignore or refuse amounts in the request: only the order on the server decides the price.',
  async run(visit) {
    if (visit.attempt === undefined) return NO_PAYIN;
    const { amountInCents, id } = visit.attempt;
    const cheaper = { amountInCents: 100, amount: 1, currency: 'COP' };
    const replacing = visit.level === 'full' && visit.method?.rail === 'BRE_B' ? { replaces: id } : {};
    const answer = await create(visit, startBody(visit, { ...cheaper, ...replacing }), newKey());
    if (answer.status >= 400 && answer.status < 500) return pass(`refused: ${describeAnswer(answer)}`);
    const made = attemptIn(visit, answer);
    if (isVerdict(made)) return made;
    visit.attempt = made;
    const same = made.amountInCents === amountInCents;
    return expected(same, same ? 'ignored' : `a payin of ${made.amountInCents} cents was made`);
  },
};

const replace: Step = {
  id: 'replace',
  title: 'Only the current payin can be replaced',
  level: 'full',
  fix: 'Compare `replaces` with the current attempt in one transaction; answer 409 not_current with the current one.',
  async run(visit) {
    const { first, attempt } = visit;
    if (first === undefined || attempt === undefined) return NO_PAYIN;
    if (attempt.id === first.attempt.id) return skip('a PSE payin is locked once its address was handed out');
    const answer = await create(visit, startBody(visit, { replaces: first.attempt.id }), newKey());
    if (answer.status !== 409) return fail(describeAnswer(answer));
    const { attempt: named } = Object(answer.body) as { attempt?: { id?: unknown } };
    return expected(
      named?.id === attempt.id,
      named ? describeAnswer(answer) : '409 without the current attempt',
    );
  },
};

const offerChanged: Step = {
  id: 'offer-changed',
  title: 'A payin for an old offer is refused with the new one',
  level: 'full',
  fix: 'Answer 409 offer_changed with `offer` when offerVersion is not the current version.',
  async run(visit) {
    if (visit.offer === undefined) return skip('there is no offer');
    const answer = await create(visit, startBody(visit, { offerVersion: 'not-the-version' }), newKey());
    if (answer.status !== 409) return fail(describeAnswer(answer));
    const { offer: renewed } = Object(answer.body) as { offer?: unknown };
    return expected(
      read(OfferSchema, renewed).ok,
      renewed ? describeAnswer(answer) : '409 without the offer',
    );
  },
};

const returnUrl: Step = {
  id: 'return-url',
  title: 'Payers are not sent to addresses of others',
  level: 'full',
  fix: 'Refuse a callbackUrl outside your own addresses with 400 return_url_not_allowed.',
  async run(visit) {
    if (visit.attempt === undefined) return NO_PAYIN;
    const answer = await create(
      visit,
      startBody(visit, { callbackUrl: 'https://elsewhere.example/' }),
      newKey(),
    );
    return expected(answer.status === 400, describeAnswer(answer));
  },
};

const keyRequired: Step = {
  id: 'key-required',
  title: 'A creation without Idempotency-Key is refused',
  level: 'both',
  fix: 'Answer 400 idempotency_key_missing: without the key a repeated request would charge twice.',
  run: async (visit) => refused(await create(visit, startBody(visit), null)),
};

const bodyChecked: Step = {
  id: 'body-checked',
  title: 'A request that makes no sense is refused',
  level: 'both',
  fix: 'Check the body before anything else and answer 400 invalid_request, never 5xx.',
  async run(visit) {
    const incomplete = await create(visit, { order: visit.order }, newKey());
    const { probe } = visit;
    const headers = { 'idempotency-key': newKey() };
    const noJson = await probe.send(CREATE_PATH, { method: 'POST', body: '{"order":', headers });
    const wrong = [incomplete, noJson].find(({ status }) => status < 400 || status > 499);
    return wrong === undefined ? pass('twice') : fail(describeAnswer(wrong));
  },
};

function refused(answer: Awaited<ReturnType<typeof create>>): Verdict {
  return expected(answer.status === 400, describeAnswer(answer));
}

function expected(isSo: boolean, found: string): Verdict {
  return isSo ? pass(found) : fail(found);
}

export const CREATING: readonly Step[] = [
  offer,
  creation,
  price,
  idempotency,
  mismatch,
  oneAttempt,
  resume,
  noAmount,
  replace,
  offerChanged,
  returnUrl,
  keyRequired,
  bodyChecked,
];
