import type { Method } from '../../contract/offer.js';
import type { Choice, Config, RememberedChoice } from '../input.js';

/** What choosing a method means. */

/** A choice that needs nothing from the payer but the choice itself; null when there is something to fill in. */
export function choiceOf(method: Method, { rails, bank }: Config): Choice | null {
  if (method.kind === 'PAYMENT_LINK') {
    // A page that names one rail wants a link of that rail, and one that names a bank wants it preselected.
    const rail = method.rail ?? (rails?.length === 1 ? (rails[0] ?? null) : null);
    return { kind: method.kind, rail, bank: method.bank ?? (rail === 'PSE' ? bank : null) };
  }
  if (method.rail === 'PSE' || method.requires.length > 0) return null;
  return { kind: 'PAYIN', rail: 'BRE_B', keyType: method.keyType };
}

/** A choice without what is personal, and without what does not identify it. */
export function rememberedOf(choice: Choice): RememberedChoice {
  if (choice.kind === 'PAYMENT_LINK') return { kind: choice.kind };
  if (choice.rail === 'BRE_B') return { kind: choice.kind, rail: choice.rail, keyType: choice.keyType };
  const { kind, rail, bank, personType } = choice;
  return { kind, rail, bank, personType };
}

/** Whether a key remembered for one choice may be sent again with another: only when they are the same. */
export const isRemembered = (remembered: RememberedChoice, choice: Choice): boolean =>
  JSON.stringify(remembered) === JSON.stringify(rememberedOf(choice));
