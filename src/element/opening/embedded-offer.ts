import * as v from 'valibot';
import type { Offer } from '../../contract/backend.js';
import { FirstOfferSchema } from '../../contract/offer.js';

/**
 * The offer that the merchant's server put into the page as a JSON block inside the element, so that it is shown without
 * a question first. Null when there is none, when it is no offer, and when it has an attempt: a page may be older than
 * what became of it, so that is asked.
 */
export function embeddedOffer(element: ParentNode): Offer | null {
  const block = element.querySelector<HTMLScriptElement>(':scope > script[type="application/json"]');
  if (!block) return null;
  try {
    return v.parse(FirstOfferSchema, JSON.parse(block.text));
  } catch {
    return null;
  }
}
