import { OfferSchema } from '../../contract/backend.js';
import type { Transport } from '../port.js';
import { type AttemptOptions, attemptsOverHttp } from './attempts.js';
import { type OfferOptions, offerOverHttp } from './offer.js';

export type HttpTransportOptions = AttemptOptions & OfferOptions;

/** The whole backend contract over HTTP, at both of its levels. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  return { offer: offerOverHttp(options, async () => OfferSchema), ...attemptsOverHttp(options) };
}
