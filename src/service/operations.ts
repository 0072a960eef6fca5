/** Which of the two credentials an operation carries. */
export type Credential = 'apiKey' | 'accessToken';

/**
 * What may be repeated after a failure. `read`: anything that may pass by itself. `create`: only what the service
 * certainly did not take. `never`: nothing, because repeating could send money twice.
 */
export type RepeatRule = 'read' | 'create' | 'never';

interface OperationFacts {
  readonly method: 'GET' | 'POST';
  readonly credential: Credential;
  readonly repeat: RepeatRule;
  readonly maxAnswerBytes: number;
}

const MEBIBYTE = 1_048_576;
const read = { method: 'GET', credential: 'apiKey', repeat: 'read', maxAnswerBytes: MEBIBYTE } as const;
const create = { method: 'POST', credential: 'apiKey', repeat: 'create', maxAnswerBytes: MEBIBYTE } as const;

/** The service's document names the credential of each operation but the reading of a link, which follows its creation. */
export const OPERATIONS = {
  'payins.create': create,
  'payins.retrieve': read,
  // A hundred payins, each of which may carry a QR image.
  'payins.list': { ...read, maxAnswerBytes: 32 * MEBIBYTE },
  'payouts.create': { ...create, repeat: 'never' },
  'keys.lookup': read,
  'paymentLinks.create': { ...create, credential: 'accessToken' },
  'paymentLinks.retrieve': { ...read, credential: 'accessToken' },
} as const satisfies Record<string, OperationFacts>;

export type Operation = keyof typeof OPERATIONS;
