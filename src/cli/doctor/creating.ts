import { type LinkStatus, LINK_STATUSES, type PayinStatus } from '../../contract/status.js';
import { fail, pass, skip } from '../checks.js';
import { type Answer, isGood, TEST_CUSTOMER } from '../probe.js';
import {
  type Exam,
  LINK_MEANINGS,
  type Made,
  type Members,
  membersOf,
  type Question,
  refusal,
  statusNameOf,
  textOf,
} from './exam.js';

/** What only shows when something is created. Every amount is the smallest that the service takes. */

/** One peso; then more, for a service with a minimum. */
const SMALLEST_AMOUNTS_IN_CENTS = [100, 100_000, 1_000_000] as const;

const NOTHING_MADE = skip('no payin was created');

function newReference(): string {
  return `doctor-${crypto.randomUUID()}`;
}

function post(exam: Exam, body: Members): Promise<Answer> {
  return exam.probe.send('/payins', { method: 'POST', body: { currency: 'COP', ...body } });
}

function brebBody(amountInCents: number, reference: string): Members {
  return { amountInCents, reference, rail: 'BRE_B', breb: { keyType: 'QR_CODE' } };
}

const create: Question = {
  id: 'create',
  title: 'A Bre-B payin can be created',
  creates: true,
  async run(exam) {
    for (const amountInCents of SMALLEST_AMOUNTS_IN_CENTS) {
      const reference = newReference();
      const answer = await post(exam, brebBody(amountInCents, reference));
      if (isGood(answer)) {
        const payin = membersOf(answer.body);
        const id = textOf(payin, 'id');
        if (id === undefined) return fail('the answer has no id');
        exam.made = { id, reference, amountInCents, answer: payin } satisfies Made;
        exam.seen.push(payin);
        return pass(`${amountInCents} cents are enough`);
      }
      if (answer.status !== 400 && answer.status !== 422) return fail(refusal(answer));
    }
    return fail('no small amount is taken', 'Ask the service for its minimum and its rules.');
  },
};

const repeatedReferences: Question = {
  id: 'repeated-references',
  title: 'A reference that was used before',
  needs: ['create'],
  creates: true,
  async run({ made, ...exam }) {
    if (made === undefined) return NOTHING_MADE;
    const answer = await post(exam, brebBody(made.amountInCents, made.reference));
    if (!isGood(answer)) {
      return pass(
        `is refused with ${answer.status}`,
        'Nothing to set: the kit never uses a reference twice.',
      );
    }
    return textOf(membersOf(answer.body), 'id') === made.id
      ? pass('gives the same payin again', 'Nothing to set.')
      : pass(
          'makes a second payin',
          'Nothing to set for the kit. Your own code must never repeat a creation blindly.',
        );
  },
};

const READ_TRIES = 40;
const BETWEEN_READS_MS = 500;

const singleRead: Question = {
  id: 'single-read',
  title: 'One payin can be read by its id',
  async run(exam) {
    const id =
      exam.made?.id ?? exam.seen.map((payin) => textOf(payin, 'id')).find((each) => each !== undefined);
    if (id === undefined) return skip('there is no payin to read');
    const path = `/payins/${encodeURIComponent(id)}`;
    for (let tries = 0; tries < READ_TRIES; tries++) {
      const answer = await exam.probe.send(path);
      if (answer.status === 200) {
        const payin = membersOf(answer.body);
        if (textOf(payin, 'id') !== id) return fail('another payin than the one asked for');
        exam.seen.push(payin);
        const lagMs = tries * BETWEEN_READS_MS;
        return tries === 0
          ? pass('GET /payins/{id}')
          : pass(
              `GET /payins/{id}, ${lagMs / 1_000} s after its creation`,
              'Nothing to set: the kit reads again.',
            );
      }
      if (answer.status !== 404) return fail(refusal(answer), NO_SINGLE_READ);
      await exam.probe.pause(BETWEEN_READS_MS);
    }
    return fail('GET /payins/{id} does not find a payin that exists', NO_SINGLE_READ);
  },
};

const NO_SINGLE_READ = 'The kit confirms every payment by this read. Ask the service how one payin is read.';

/** The service's own test documents and what each leads to. */
const TEST_OUTCOMES: readonly (readonly [string, PayinStatus])[] = [
  ['1000000001', 'CONFIRMED'],
  ['1000000003', 'DECLINED'],
  ['1000000005', 'CANCELED'],
];
const OUTCOME_TRIES = 60;
const BETWEEN_OUTCOME_READS_MS = 1_000;

const finalNames: Question = {
  id: 'final-statuses',
  title: 'Names of the final statuses, by the test documents',
  needs: ['create'],
  creates: true,
  async run(exam) {
    const { made } = exam;
    if (made === undefined) return NOTHING_MADE;
    const names: Record<string, PayinStatus> = {};
    const found: string[] = [];
    const waiting = new Map<string, PayinStatus>();
    for (const [idNumber, meaning] of TEST_OUTCOMES) {
      const inlineCustomer = { ...TEST_CUSTOMER, idNumber };
      const answer = await post(exam, { ...brebBody(made.amountInCents, newReference()), inlineCustomer });
      const id = textOf(membersOf(answer.body), 'id');
      if (isGood(answer) && id !== undefined) waiting.set(id, meaning);
    }
    if (waiting.size === 0) return skip('no payin with a test document was taken');
    for (let tries = 0; waiting.size > 0 && tries < OUTCOME_TRIES; tries++) {
      await exam.probe.pause(BETWEEN_OUTCOME_READS_MS);
      for (const [id, meaning] of waiting) {
        const payin = membersOf((await exam.probe.send(`/payins/${encodeURIComponent(id)}`)).body);
        const name = statusNameOf(payin);
        if (name === undefined || name === 'PENDING' || name === 'PROCESSING') continue;
        waiting.delete(id);
        exam.seen.push(payin);
        found.push(name);
        if (name !== meaning) names[name] = meaning;
      }
    }
    if (Object.keys(names).length > 0) exam.options.statusNames = { ...exam.options.statusNames, ...names };
    const missing = [...waiting.values()].join(', ');
    if (missing !== '') return skip(`no outcome within a minute for ${missing}`, 'Run it again later.');
    return pass(found.join(', '), Object.keys(names).length > 0 ? 'Set statusNames as below.' : undefined);
  },
};

const PSE_TRIES = 60;

const pseUrl: Question = {
  id: 'pse-url',
  title: 'When a PSE payin has its bank address',
  needs: ['create'],
  creates: true,
  async run(exam) {
    const { made, bank, callbackUrl } = exam;
    if (made === undefined) return NOTHING_MADE;
    const answer = await post(exam, {
      amountInCents: made.amountInCents,
      reference: newReference(),
      rail: 'PSE',
      pse: { bank, personType: 'INDIVIDUAL' },
      inlineCustomer: TEST_CUSTOMER,
      callbackUrl,
    });
    const id = textOf(membersOf(answer.body), 'id');
    if (!isGood(answer) || id === undefined) {
      return skip(
        refusal(answer),
        'Give a bank that the service takes with --bank, or ask whether PSE is on.',
      );
    }
    if (hasPseUrl(answer)) return pass('at once');
    for (let tries = 1; tries <= PSE_TRIES; tries++) {
      await exam.probe.pause(BETWEEN_READS_MS);
      if (hasPseUrl(await exam.probe.send(`/payins/${encodeURIComponent(id)}`))) {
        return pass(
          `${(tries * BETWEEN_READS_MS) / 1_000} s after creation`,
          'Nothing to set: the kit reads until it is there.',
        );
      }
    }
    return fail(
      `not within ${(PSE_TRIES * BETWEEN_READS_MS) / 1_000} s`,
      'Payers would be told to choose another method. Ask the service.',
    );
  },
};

function hasPseUrl({ body }: Answer): boolean {
  return textOf(membersOf(membersOf(body)['sourceData']), 'pseUrl') !== undefined;
}

const linkRead: Question = {
  id: 'link-read',
  title: 'A payment link, and the credential that reads it',
  needs: ['create'],
  creates: true,
  async run({ links, probe, made, options, callbackUrl }) {
    if (links === undefined) return skip('SERVICE_ACCESS_TOKEN is not set', 'Only needed for payment links.');
    if (made === undefined) return NOTHING_MADE;
    const created = await links.send('/payment-links', {
      method: 'POST',
      body: {
        amountType: 'FIXED',
        amountInCents: made.amountInCents,
        reference: newReference(),
        callbackUrl,
      },
    });
    const id = textOf(membersOf(created.body), 'paymentLinkId');
    if (!isGood(created) || id === undefined) return skip(refusal(created), 'Only needed for payment links.');
    const path = `/payment-links/${encodeURIComponent(id)}`;
    const withToken = await links.send(path);
    const withKey = withToken.status === 401 || withToken.status === 403 ? await probe.send(path) : withToken;
    if (withKey.status !== 200) return fail(refusal(withKey));
    noteLinkStatus(options, statusNameOf(membersOf(withKey.body)));
    if (withKey === withToken) return pass('the bearer token');
    options.auth = { ...options.auth, 'paymentLinks.retrieve': 'apiKey' };
    return pass('x-api-key', 'Set auth as below.');
  },
};

function noteLinkStatus(options: Exam['options'], name: string | undefined): void {
  if (name === undefined || LINK_STATUSES.some((each) => each === name)) return;
  // A link just made is waiting, whatever that is called.
  const meaning: LinkStatus = LINK_MEANINGS[name] ?? 'PENDING';
  options.linkStatusNames = { ...options.linkStatusNames, [name]: meaning };
}

export const CREATING_QUESTIONS: readonly Question[] = [
  create,
  singleRead,
  repeatedReferences,
  finalNames,
  pseUrl,
  linkRead,
];
