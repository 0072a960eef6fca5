import { LinkAttemptSchema, OfferSchema } from '../../contract/backend.js';
import { read } from '../../contract/schema.js';
import { fail, pass, skip } from '../checks.js';
import { codeOf, describeAnswer, isGood } from '../probe.js';
import {
  adoptCurrent,
  attemptIn,
  create,
  describeErrors,
  expected,
  isFinding,
  newKey,
  orderPath,
  payinPath,
  startBody,
  type Step,
  type Visit,
} from './visit.js';

/** One order has one current attempt: second tabs, other devices, other methods, other prices. */

const PSE_LOCKED = skip('a PSE payin is locked once its address was given out');

const oneAttempt: Step = {
  id: 'one-attempt',
  title: 'A second tab gets the payin that is already open',
  level: 'full',
  needs: ['create'],
  advice:
    'Answer POST /payins without `replaces` with 200 and the open attempt of the order, whatever the key.',
  async run(visit) {
    const answer = await create(visit, startBody(visit), newKey());
    const again = attemptIn(visit, answer);
    if (isFinding(again)) return again;
    if (again.id !== visit.attempt?.id) {
      await adoptCurrent(visit);
      return fail('a second payin', undefined, answer);
    }
    return expected(answer.status === 200, `the same, with ${answer.status}`);
  },
};

const resume: Step = {
  id: 'resume',
  title: 'The offer carries the open payin, for other devices',
  level: 'full',
  needs: ['create'],
  advice: 'Put the current attempt, or the one that paid, into `attempt` of the offer.',
  async run(visit) {
    const { body } = await visit.probe.send(orderPath(visit.order));
    const { attempt } = Object(body) as { attempt?: { id?: unknown } | null };
    return expected(attempt?.id === visit.attempt?.id, attempt ? 'it is there' : 'attempt is missing');
  },
};

const noAmount: Step = {
  id: 'no-amount',
  title: 'No amount is accepted from the browser',
  needs: ['create'],
  advice: 'Ignore or refuse amounts in the request: only the order on the server decides the price.',
  async run(visit) {
    const { attempt } = visit;
    if (attempt === undefined) return skip('there is no payin');
    const cheaper = { amountInCents: 100, amount: 1, currency: 'COP' };
    const isReplaceable = visit.level === 'full' && (visit.method?.rail ?? visit.rail) !== 'PSE';
    const replacing = isReplaceable ? { replaces: attempt.id } : {};
    const answer = await create(visit, startBody(visit, { ...cheaper, ...replacing }), newKey());
    if (answer.status >= 400 && answer.status < 500) return pass(`refused: ${describeAnswer(answer)}`);
    const made = attemptIn(visit, answer);
    if (isFinding(made)) return made;
    visit.attempt = made;
    visit.currentId = made.id;
    const isSame = made.amountInCents === attempt.amountInCents;
    return expected(isSame, isSame ? 'ignored' : `a payin of ${made.amountInCents} cents was made`);
  },
};

const replace: Step = {
  id: 'replace',
  title: 'Only the current payin can be replaced',
  level: 'full',
  needs: ['create'],
  advice:
    'Compare `replaces` with the current attempt in one transaction; answer 409 not_current with the current one.',
  async run(visit) {
    const { first, attempt } = visit;
    if (first === undefined || attempt === undefined || attempt.id === first.attempt.id) return PSE_LOCKED;
    const answer = await create(visit, startBody(visit, { replaces: first.attempt.id }), newKey());
    if (answer.status !== 409) return fail(describeAnswer(answer));
    const { attempt: named } = Object(answer.body) as { attempt?: { id?: unknown } };
    return expected(
      named?.id === attempt.id,
      named ? describeAnswer(answer) : '409 without the current attempt',
    );
  },
};

const version: Step = {
  id: 'version',
  title: 'The version changes with anything the payer could see',
  level: 'full',
  needs: ['create'],
  advice:
    'Make `version` cover every attempt of the order: a payin that takes another’s place changes the version of both.',
  async run(visit) {
    const { first, attempt } = visit;
    if (first === undefined || attempt === undefined || attempt.id === first.attempt.id) return PSE_LOCKED;
    const answer = await visit.probe.send(payinPath(first.attempt.id));
    const now = attemptIn(visit, answer);
    if (isFinding(now)) return now;
    return expected(
      now.version !== first.attempt.version,
      now.version === first.attempt.version
        ? `still ${now.version} after another payin took its place`
        : 'it changed',
    );
  },
};

const offerChanged: Step = {
  id: 'offer-changed',
  title: 'A payin for an old offer is refused with the new one',
  level: 'full',
  needs: ['create'],
  advice: 'Answer 409 offer_changed with `offer` when offerVersion is not the current version.',
  async run(visit) {
    if (visit.offer === undefined) return skip('there is no offer');
    const answer = await create(visit, startBody(visit, { offerVersion: 'not-the-version' }), newKey());
    if (answer.status !== 409) return fail(describeAnswer(answer));
    const { offer } = Object(answer.body) as { offer?: unknown };
    return expected(
      read(OfferSchema, offer).ok,
      offer === undefined ? '409 without the offer' : describeAnswer(answer),
    );
  },
};

const returnUrl: Step = {
  id: 'return-url',
  title: 'A return address elsewhere is refused',
  level: 'full',
  needs: ['create'],
  advice:
    'Compare the origin of callbackUrl with your own, parsed as a URL and not only how it begins; answer 400 return_url_not_allowed.',
  async run(visit) {
    for (const callbackUrl of addressesElsewhere(visit.callbackUrl)) {
      const answer = await create(visit, startBody(visit, { callbackUrl }), newKey());
      if (answer.status !== 400)
        return fail(`${describeAnswer(answer)} for ${callbackUrl}`, undefined, answer);
    }
    return pass('400');
  },
};

/** All but the first begin as the page's own address does. */
function addressesElsewhere(own: string): readonly string[] {
  const { origin, port } = new URL(own);
  return [
    'https://elsewhere.invalid/',
    `${origin}@elsewhere.invalid/`,
    // After a port it would be no address at all.
    ...(port === '' ? [`${origin}.elsewhere.invalid/`] : []),
  ];
}

const priceRaised: Step = {
  id: 'price-raised',
  title: 'A price that rises while a payin is open is asked for from then on',
  level: 'full',
  needs: ['create'],
  advice:
    'Read the price at every offer and creation, also while an attempt is open; a price that moved is another offer version.',
  async run(visit) {
    const { raise, raiseProbe, offer: before, order, currentId } = visit;
    if (raise === undefined || raiseProbe === undefined) return skip('--raise was not given');
    if (before === undefined) return skip('there is no offer');
    const { pathname, search } = new URL(raise.replaceAll('{order}', encodeURIComponent(order)));
    const raised = await raiseProbe.send(pathname + search, { method: 'POST', body: {} });
    if (!isGood(raised)) return fail(`the shop: ${describeAnswer(raised)}`, '--raise answers 2xx.', raised);
    const shown = await visit.probe.send(orderPath(order));
    const reading = read(OfferSchema, shown.body);
    if (!reading.ok) return fail(describeErrors(reading.errors), undefined, shown);
    const { amountInCents, version } = reading.value;
    if (amountInCents <= before.amountInCents) return fail(`the offer still says ${amountInCents} cents`);
    if (version === before.version) return fail('the offer has another price and the same version');
    const old = await create(visit, startBody(visit), newKey());
    if (codeOf(old) !== 'offer_changed')
      return fail(`${describeAnswer(old)} for the old offer`, undefined, old);
    const now = { ...visit, offer: reading.value };
    const answer = await create(now, startBody(now, { replaces: currentId }), newKey());
    if (codeOf(answer) === 'pse_in_progress') return pass(`${amountInCents} cents in the offer`);
    const made = attemptIn(visit, answer);
    if (isFinding(made)) return made;
    return expected(made.amountInCents === amountInCents, `a payin of ${made.amountInCents} cents`, answer);
  },
};

const link: Step = {
  id: 'payment-link',
  title: 'A payment link can be created and read',
  level: 'full',
  needs: ['create'],
  advice: 'Answer POST /payment-links and GET /payment-links/{id} with an attempt of kind PAYMENT_LINK.',
  async run(visit) {
    const { probe, offer, order, callbackUrl, currentId } = visit;
    const method = offer?.methods.find((each) => each.kind === 'PAYMENT_LINK');
    if (offer === undefined || method?.kind !== 'PAYMENT_LINK') return skip('the offer has no payment link');
    const answer = await probe.send('/payment-links', {
      method: 'POST',
      headers: { 'idempotency-key': newKey() },
      body: {
        order,
        offerVersion: offer.version,
        callbackUrl,
        ...(method.rail === null ? {} : { rail: method.rail }),
        ...(method.bank === null ? {} : { pse: { bank: method.bank } }),
        ...(currentId === undefined ? {} : { replaces: currentId }),
      },
    });
    if (codeOf(answer) === 'pse_in_progress') return PSE_LOCKED;
    const made = read(LinkAttemptSchema, answer.body);
    if (!made.ok) return fail(isGood(answer) ? describeErrors(made.errors) : describeAnswer(answer));
    visit.currentId = made.value.id;
    const again = await probe.send(`/payment-links/${encodeURIComponent(made.value.id)}`);
    const reading = read(LinkAttemptSchema, again.body);
    if (!reading.ok) return fail(`${again.request}: ${describeErrors(reading.errors)}`);
    const { status } = reading.value;
    if (status !== (again.body as { status?: unknown }).status)
      return fail(`${again.request}: status: not_allowed`);
    return pass(status);
  },
};

/** Last of these, because an order with a PSE payin takes no other for a while. */
const otherRail: Step = {
  id: 'other-rail',
  title: 'The other rail works too',
  needs: ['create'],
  advice:
    'Answer POST /payins with rail PSE like one with BRE_B. Its payer data goes to the service and nowhere else.',
  async run(visit) {
    const other = otherMethod(visit);
    if (other === undefined) return skip('the offer has one rail');
    const send = (more: object) => create(visit, startBody(other, { ...more }), newKey());
    const replacing = { replaces: visit.currentId };
    let answer = await send(visit.level === 'full' ? replacing : {});
    // A Basic backend may know of open payins too.
    if (visit.level === 'basic' && answer.status === 200) answer = await send(replacing);
    if (codeOf(answer) === 'pse_in_progress') return PSE_LOCKED;
    if (codeOf(answer) === 'already_paid') return skip('the order is paid by now');
    // Without an offer it is not known whether there is another rail.
    if (visit.offer === undefined && answer.status >= 400 && answer.status < 500) {
      return skip(`the backend takes only ${visit.rail ?? 'BRE_B'}`);
    }
    const made = attemptIn(visit, answer);
    if (isFinding(made)) return made;
    visit.currentId = made.id;
    const now = attemptIn(visit, await visit.probe.send(payinPath(made.id)));
    return isFinding(now) ? now : pass(`${answer.status}, ${now.status}`);
  },
};

/** The same visit with the method that was not tried yet. */
function otherMethod(visit: Visit): Visit | undefined {
  const rail = (visit.method?.rail ?? visit.rail ?? 'BRE_B') === 'PSE' ? 'BRE_B' : 'PSE';
  if (visit.offer === undefined) return { ...visit, rail };
  const method = visit.offer.methods.find((each) => each.kind === 'PAYIN' && each.rail === rail);
  return method?.kind === 'PAYIN' ? { ...visit, method } : undefined;
}

export const ATTEMPTS: readonly Step[] = [
  oneAttempt,
  resume,
  noAmount,
  replace,
  version,
  offerChanged,
  returnUrl,
];
/** After the reads, because they put another attempt in the place of the one that is read. */
export const OTHER_METHODS: readonly Step[] = [link, otherRail];
/** After all that asks for the first price. */
export const PRICE: readonly Step[] = [priceRaised];
