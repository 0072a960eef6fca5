import type { Input } from '../../src/machine/input.js';
import type { State } from '../../src/machine/state.js';
import { CUSTOMER } from '../server/world.js';

const SUBMIT = {
  kind: 'PAYIN',
  rail: 'PSE',
  bank: 'CO_BANCOLOMBIA',
  personType: 'INDIVIDUAL',
  customer: CUSTOMER,
} as const;

/** The buttons that the present screen has, the likeliest first and more than once. */
export function buttonsOf({ screen }: State, idempotencyKey: string): Input[] {
  const check: Input = { type: 'check' };
  const back: Input = { type: 'back' };
  const other: Input = { type: 'another-method' };
  const renew: Input = { type: 'renew', idempotencyKey };
  const retry: Input = { type: 'retry', idempotencyKey };
  switch (screen.phase) {
    case 'choosing': {
      const chosen = screen.methods.map((method): Input => ({ type: 'choose', method, idempotencyKey }));
      const [first] = chosen;
      return [...(first ? [first, first] : []), ...chosen, check, ...(screen.replacing ? [back] : [])];
    }
    case 'details':
      return [{ type: 'submit', choice: SUBMIT, idempotencyKey }, back];
    case 'preparing':
      return [retry, check, other, renew];
    case 'paying':
      return [renew, renew, check, renew, other];
    case 'redirecting':
      return [back];
    case 'verifying':
      return [check, other];
    case 'pending':
      return [
        ...(screen.blocked ? [{ type: 'override', idempotencyKey } as const] : []),
        other,
        { type: 'follow' },
        check,
      ];
    case 'link':
      return [{ type: 'follow' }, check, renew, other];
    case 'lapsed':
      return [renew, renew, check, other];
    case 'declined':
    case 'canceled':
      return [renew, other, { type: 'finish' }];
    case 'failed':
      return [retry, retry, other, back];
    case 'confirmed':
    case 'amount-differs':
    case 'duplicate':
      return [{ type: 'finish' }];
    case 'idle':
    case 'loading':
    case 'returning':
    case 'creating':
      return [check];
    default:
      throw new TypeError(`Unknown screen: ${String(screen satisfies never)}`);
  }
}
