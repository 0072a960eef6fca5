import { ConsoleProblemError } from '../../../src/console.js';
import { ServiceError } from '../../../src/service.js';

/** What the payment service's failures are to the page: only what its user can act on. */
export function refusalOf(error: unknown): ConsoleProblemError | undefined {
  if (error instanceof ConsoleProblemError) return error;
  if (!(error instanceof ServiceError)) return undefined;
  switch (error.kind) {
    case 'invalid_input':
      return new ConsoleProblemError('invalid_input', error.fields);
    case 'not_found':
      return new ConsoleProblemError('not_found');
    default:
      return new ConsoleProblemError('service_away');
  }
}
