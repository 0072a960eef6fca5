import { type Result, runChecks } from '../checks.js';
import { createProbe, type ProbeSetup } from '../probe.js';
import { CREATING_QUESTIONS } from './creating.js';
import type { Exam, FoundOptions, Question } from './exam.js';
import { FIRST_QUESTIONS, LAST_QUESTIONS } from './reading.js';

const QUESTIONS: readonly Question[] = [...FIRST_QUESTIONS, ...CREATING_QUESTIONS, ...LAST_QUESTIONS].map(
  // Without access every further answer would be the same refusal.
  (question) =>
    question.id === 'access' ? question : { ...question, needs: ['access', ...(question.needs ?? [])] },
);

export interface DoctorSetup extends Pick<ProbeSetup, 'fetch' | 'pause' | 'notice'> {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly accessToken: string | undefined;
  readonly mayCreate: boolean;
  readonly bank: string;
  readonly callbackUrl: string;
}

export interface Diagnosis {
  readonly results: readonly Result[];
  readonly options: FoundOptions;
}

/** Asks the service everything that its document leaves open. */
export async function examine(
  { baseUrl, apiKey, accessToken, mayCreate, bank, callbackUrl, ...probing }: DoctorSetup,
  done?: (result: Result) => void,
): Promise<Diagnosis> {
  const probe = (headers: Record<string, string>) => createProbe({ backend: baseUrl, headers, ...probing });
  const exam: Exam = {
    probe: probe({ 'x-api-key': apiKey }),
    links: accessToken === undefined ? undefined : probe({ authorization: `Bearer ${accessToken}` }),
    bank,
    callbackUrl,
    options: {},
    seen: [],
  };
  const questions = QUESTIONS.filter(({ creates }) => mayCreate || creates !== true);
  const results = await runChecks(questions, exam, done);
  return { results, options: exam.options };
}
