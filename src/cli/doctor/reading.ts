import { PAYIN_STATUSES, type PayinStatus } from '../../contract/status.js';
import { fail, pass, skip } from '../checks.js';
import {
  type Exam,
  listed,
  type Members,
  membersOf,
  PAYIN_MEANINGS,
  type Question,
  refusal,
  statusNameOf,
  textOf,
} from './exam.js';

/** What can be learnt by reading alone. */

const access: Question = {
  id: 'access',
  title: 'The API key is accepted, and payins can be listed',
  async run({ probe, seen }) {
    const answer = await probe.send('/payins');
    if (answer.status === 401 || answer.status === 403) {
      return fail(refusal(answer), 'Check SERVICE_API_KEY, and that it belongs to this environment.');
    }
    const payins = listed(answer);
    if (payins === undefined)
      return fail(refusal(answer), 'Check --base-url: GET /payins must answer a list.');
    seen.push(...payins);
    return pass(`${payins.length} payins on the first page`);
  },
};

const LIMIT_NAMES = ['limit', 'pageSize', 'page_size', 'size', 'perPage', 'per_page', 'first', 'take'];
const CURSOR_NAMES = [
  'cursor',
  'nextCursor',
  'next_cursor',
  'after',
  'pageCursor',
  'starting_after',
  'page',
  'next',
];

const listParameters: Question = {
  id: 'list-parameters',
  title: 'Names of the list’s query parameters',
  async run(exam) {
    const all = listed(await exam.probe.send('/payins'));
    if (all === undefined || all.length < 2) {
      return skip('the list is too short to tell', 'Run it with --create, or once there are payins.');
    }
    const limit = await findLimit(exam);
    if (limit === undefined) {
      return skip(`none of ${LIMIT_NAMES.join(', ')} limits the list`, 'Ask the service for the names.');
    }
    const cursor = await findCursor(exam, limit);
    if (cursor === undefined) {
      return skip(
        `${limit}, but none of ${CURSOR_NAMES.join(', ')} turns the page`,
        'Ask the service for the name.',
      );
    }
    if (limit === 'limit' && cursor === 'cursor') return pass('limit, cursor');
    exam.options.listParameters = { limit, cursor };
    return pass(`${limit}, ${cursor}`, 'Set listParameters as below.');
  },
};

async function findLimit({ probe }: Exam): Promise<string | undefined> {
  for (const name of LIMIT_NAMES) {
    const page = listed(await probe.send(`/payins?${name}=1`));
    if (page?.length === 1) return name;
  }
  return undefined;
}

async function findCursor({ probe }: Exam, limit: string): Promise<string | undefined> {
  const first = await probe.send(`/payins?${limit}=1`);
  const [payin] = listed(first) ?? [];
  const next = textOf(membersOf(membersOf(first.body)['pageInfo']), 'nextCursor');
  if (next === undefined) return undefined;
  for (const name of CURSOR_NAMES) {
    const [other] = listed(await probe.send(`/payins?${limit}=1&${name}=${encodeURIComponent(next)}`)) ?? [];
    if (other !== undefined && other['id'] !== payin?.['id']) return name;
  }
  return undefined;
}

const isKnownStatus = (name: string) => PAYIN_STATUSES.some((each) => each === name);

const statusNames: Question = {
  id: 'status-names',
  title: 'Names of statuses in the payins seen',
  async run({ seen, options }) {
    const names = [...new Set(seen.flatMap((payin) => statusNameOf(payin) ?? []))];
    if (names.length === 0) return skip('there was no payin to look at');
    const taught: Readonly<Record<string, PayinStatus>> = options.statusNames ?? {};
    const strange = names.filter((name) => !isKnownStatus(name) && !Object.hasOwn(taught, name));
    if (strange.length === 0) return pass(names.join(', '));
    const guessed = strange.filter((name) => Object.hasOwn(PAYIN_MEANINGS, name));
    const meanings = Object.fromEntries(guessed.map((name) => [name, PAYIN_MEANINGS[name]]));
    options.statusNames = { ...taught, ...(meanings as Record<string, PayinStatus>) };
    const unsure = strange.filter((name) => !guessed.includes(name));
    return pass(
      names.join(', '),
      unsure.length === 0
        ? 'Set statusNames as below, once the service has said that they mean this.'
        : `Ask the service what ${unsure.join(', ')} means: an unknown status is open, never paid.`,
    );
  },
};

const amountUnits: Question = {
  id: 'amount-units',
  title: 'The unit of `amount`, and whether amountInCents is there',
  async run({ seen, made }) {
    const samples = [
      ...seen.map((payin) => ({ payin, cents: payin['amountInCents'] })),
      ...(made === undefined ? [] : [{ payin: made.answer, cents: made.amountInCents }]),
    ];
    const units = new Set(samples.flatMap(({ payin, cents }) => unitOf(payin, cents) ?? []));
    const omitted = seen.some(
      (payin) => payin['amountInCents'] === undefined || payin['amountInCents'] === null,
    );
    if (units.size === 0) return skip('no payin says both', 'Run it with --create.');
    const unit = [...units].join(' and ');
    const found = `${unit}; amountInCents ${omitted ? 'is left out' : 'is there'}`;
    if (units.has('neither pesos nor cents')) return fail(found, 'Ask the service what amount means.');
    return pass(
      found,
      'Nothing to set: amountInCents decides, and where it is missing the kit takes either unit.',
    );
  },
};

function unitOf({ amount }: Members, cents: unknown): string | undefined {
  if (typeof amount !== 'number' || typeof cents !== 'number') return undefined;
  if (amount === cents / 100) return 'pesos';
  return amount === cents ? 'cents' : 'neither pesos nor cents';
}

export const FIRST_QUESTIONS: readonly Question[] = [access];
/** After anything was created, because they need payins to look at. */
export const LAST_QUESTIONS: readonly Question[] = [listParameters, statusNames, amountUnits];
