import { PROBLEMS, type ProblemCode } from '../../contract/problems.js';
import { fail, pass } from '../checks.js';
import { type Answer, codeOf, describeAnswer, isProblem, TEST_CUSTOMER } from '../probe.js';
import type { Step } from './visit.js';

/** What holds for every answer. These look back at all there were. */

/** Names that the payment service uses for what belongs to the payer or to the merchant's account. */
const PRIVATE_NAMES = ['inlineCustomer', 'idNumber', 'documentNumber', 'bankAccountNumber', 'organizationId'];
const PRIVATE_VALUES = [TEST_CUSTOMER.phone, TEST_CUSTOMER.email, TEST_CUSTOMER.name, TEST_CUSTOMER.idNumber];

const personal: Step = {
  id: 'private',
  title: 'Nothing of the payer or of your account reaches the browser',
  advice: 'Strip inlineCustomer and organizationId from the payin before you pass it on.',
  async run({ probe }) {
    for (const answer of probe.answers) {
      const found = leakIn(answer.body);
      if (found !== undefined) return fail(`${found} in the answer to ${answer.request}`, undefined, answer);
    }
    return pass(`${probe.answers.length} answers`);
  },
};

/** The name of a member that should not be there. Hints are masked words under the same names. */
function leakIn(value: unknown): string | undefined {
  if (typeof value === 'string') return PRIVATE_VALUES.find((each) => value.includes(each));
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'hints' || name === 'requires' || member === null) continue;
    const leak = PRIVATE_NAMES.includes(name) ? name : leakIn(member);
    if (leak !== undefined) return leak;
  }
  return undefined;
}

const errors: Step = {
  id: 'errors',
  title: 'Every refusal is problem+json with a code of the contract',
  advice:
    'Answer refusals as application/problem+json with type, title, status and a code of docs/problems.md.',
  async run({ probe }) {
    const refusals = probe.answers.filter((answer) => answer.status >= 400 && !isMissingCall(answer));
    for (const refusal of refusals) {
      const code = codeOf(refusal);
      const found = `${refusal.request}: ${describeAnswer(refusal)}`;
      if (!isProblem(refusal)) return fail(found, undefined, refusal);
      if (code === undefined) return fail(`${found} without a code`, undefined, refusal);
      const { status } = PROBLEMS[code as ProblemCode];
      if (status !== refusal.status) return fail(`${found}, but ${code} is ${status}`, undefined, refusal);
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
  advice: 'Send Cache-Control: no-store and Content-Type: application/json with every answer.',
  async run({ probe }) {
    for (const answer of probe.answers) {
      if (isMissingCall(answer)) continue;
      const cache = answer.headers.get('cache-control') ?? 'absent';
      if (!cache.toLowerCase().includes('no-store')) {
        return fail(`${answer.request}: Cache-Control ${cache}`, undefined, answer);
      }
      const type = answer.headers.get('content-type') ?? 'absent';
      if (answer.status < 300 && !type.toLowerCase().startsWith('application/json')) {
        return fail(`${answer.request}: Content-Type ${type}`, undefined, answer);
      }
    }
    return pass(`${probe.answers.length} answers`);
  },
};

export const ANSWERS: readonly Step[] = [personal, errors, headers];
