import { CREATING_QUESTIONS } from './creating.js';
import { type Exam, type Fact, type Finding, type FoundOptions, type Question, trouble } from './exam.js';
import { FIRST_QUESTIONS, LAST_QUESTIONS } from './reading.js';
import { createProbe, NoAnswerError, type ProbeSetup } from '../probe.js';

const QUESTIONS: readonly Question[] = [...FIRST_QUESTIONS, ...CREATING_QUESTIONS, ...LAST_QUESTIONS];

export interface DoctorSetup extends Pick<ProbeSetup, 'fetch' | 'pause' | 'notice'> {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly accessToken: string | undefined;
  readonly mayCreate: boolean;
  readonly bank: string;
  readonly callbackUrl: string;
}

export interface Diagnosis {
  readonly facts: readonly Fact[];
  readonly options: FoundOptions;
}

/** Asks the service everything that its document leaves open. */
export async function examine(
  { baseUrl, apiKey, accessToken, mayCreate, bank, callbackUrl, ...probing }: DoctorSetup,
  done: (fact: Fact) => void = () => undefined,
): Promise<Diagnosis> {
  const probe = (headers: Record<string, string>) => createProbe({ backend: baseUrl, headers, ...probing });
  const exam: Exam = {
    api: probe({ 'x-api-key': apiKey }),
    links: accessToken === undefined ? undefined : probe({ authorization: `Bearer ${accessToken}` }),
    mayCreate,
    bank,
    callbackUrl,
    options: {},
    seen: [],
  };
  const facts: Fact[] = [];
  for (const question of QUESTIONS) {
    if (question.creates && !mayCreate) continue;
    const { outcome, found, note = null } = await ask(question, exam);
    const { id, title } = question;
    const fact: Fact = { id, title, outcome, found, note };
    facts.push(fact);
    done(fact);
    // Without access every further answer would be the same refusal.
    if (id === 'access' && outcome === 'trouble') break;
  }
  return { facts, options: exam.options };
}

async function ask(question: Question, exam: Exam): Promise<Finding> {
  try {
    return await question.run(exam);
  } catch (error) {
    if (error instanceof NoAnswerError) return trouble(error.message, 'The service gave no answer.');
    throw error;
  }
}
