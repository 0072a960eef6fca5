/** Why the sandbox would not do something; the HTTP layer turns it into a status. */
export type EngineRefusal =
  | 'not_found'
  | 'reference_taken'
  | 'already_final'
  | 'not_confirmed'
  | 'invalid_amount'
  | 'amount_too_large'
  | 'link_not_payable'
  | 'rail_not_allowed'
  | 'bank_unknown'
  | 'key_malformed'
  | 'key_unknown'
  | 'key_not_looked_up';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineRefusal;

  constructor(code: EngineRefusal) {
    super(`The sandbox refused: ${code}`);
    this.code = code;
  }
}
