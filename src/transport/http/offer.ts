import type { OfferSchema } from '../../contract/backend.js';
import { FirstOfferSchema } from '../../contract/offer.js';
import { PlainProblemSchema } from '../../contract/problems.js';
import { type LoadedOffer, type Transport, TransportError } from '../port.js';
import type { BasicLevel } from './basic.js';
import { type HttpOptions, READ_TIMEOUT_MS, absentCall, createCall, parse } from './call.js';

export interface OfferOptions extends HttpOptions {
  /** `basic`: the backend has no offers, so that none is asked for. */
  readonly level?: string | null;
  /** What stands in for what a Basic backend does not say. */
  readonly basic?: BasicLevel;
}

/**
 * Reads the offer over HTTP, or makes it of what the page says where the backend has none. `withAttempt` gives the
 * schema of an offer with an attempt, which is not in the file of the first screen.
 */
export function offerOverHttp(
  options: OfferOptions,
  withAttempt: () => Promise<typeof OfferSchema>,
): Transport['offer'] {
  const { level, basic, now = Date.now } = options;
  const call = createCall(options, PlainProblemSchema);

  /** The offer that the attributes make; without one the call that would have given it has failed. */
  async function standIn(error: TransportError): Promise<LoadedOffer> {
    const offer = await basic?.offer(now());
    if (!offer) throw error;
    return { offer, level: 'BASIC' };
  }

  return async (order, { signal }) => {
    if (level === 'basic') {
      const message = 'With level="basic" the element needs "amount-in-cents".';
      return standIn(new TransportError('MISCONFIGURED', { message }));
    }
    try {
      const path = `/${encodeURIComponent(order)}`;
      const called = await call('/orders', path, { signal, timeoutMs: READ_TIMEOUT_MS });
      const { attempt = null } = Object(called.value) as { attempt?: unknown };
      const schema = attempt === null ? FirstOfferSchema : await withAttempt();
      return { offer: parse(schema, called), level: 'FULL' };
    } catch (error) {
      const absent = absentCall(error);
      if (!absent) throw error;
      return standIn(absent);
    }
  };
}
