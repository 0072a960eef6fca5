import { type Attempt, type Offer, type Transport, TransportError } from '../../src/index.js';

/** What a canned backend answers; what is left out is never answered. */
export interface Answers {
  readonly offer?: Offer | TransportError;
  readonly created?: Attempt | TransportError;
  readonly read?: Attempt | TransportError | 'NEVER';
}

/** A transport with fixed answers. Reads after the first wait for ever, so that a screen stays as it is. */
export function cannedTransport({ offer, created, read }: Answers): Transport {
  let told = false;
  return {
    offer: (_order, { signal }) => answer(offer && wrap(offer), signal),
    createPayin: (_body, { signal }) => answer(created, signal),
    createLink: (_body, { signal }) => answer(created, signal),
    read: (_target, { signal, after }) => {
      const now = read !== 'NEVER' && (after === undefined || !told);
      told = true;
      return answer(
        now ? (read ?? (offer && 'attempt' in offer ? (offer.attempt ?? created) : created)) : undefined,
        signal,
      );
    },
  };
}

const wrap = (offer: Offer | TransportError) =>
  offer instanceof TransportError ? offer : { offer, level: 'FULL' as const };

function answer<Value extends object>(
  value: Value | TransportError | undefined,
  signal: AbortSignal,
): Promise<Value> {
  if (value instanceof TransportError) return Promise.reject(value);
  if (value !== undefined) return Promise.resolve(value);
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new TransportError('NETWORK')), { once: true });
  });
}
