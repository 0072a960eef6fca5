import type { Attempt, Method, Offer } from '../contract/backend.js';
import type { ReturnId } from '../contract/return-id.js';
import { isFinal, isPaid } from '../contract/status.js';
import type { Choice, Config, RememberedChoice } from './input.js';
import type { Offering, Screen, State } from './state.js';

/** What can be said of an attempt, of the screen it is on, and of the method it was made with. */

export const isOpen = (attempt: Attempt): boolean => !isFinal(attempt.status);

export const targetOf = ({ kind, id }: Attempt): ReturnId => ({ kind, id });

/** Where the payer goes to pay: the bank or the hosted page. Null when it is not known yet, or on Bre-B. */
export function addressOf(attempt: Attempt): string | null {
  if (attempt.kind === 'PAYMENT_LINK') return attempt.paymentLinkUrl;
  return attempt.rail === 'PSE' ? (attempt.sourceData?.pseUrl ?? null) : null;
}

/** Money arrived, but not the money that was asked for. An unstated amount means as asked. */
export function amountDiffers({ amountInCents, confirmedAmountInCents, settlement, id }: Attempt): boolean {
  return (
    (confirmedAmountInCents !== null && confirmedAmountInCents !== amountInCents) ||
    (settlement.state === 'AMOUNT_DIFFERS' && settlement.by === id)
  );
}

/** The order needs no more money, and what paid it is another attempt. */
export const paidByAnother = ({ id, settlement }: Attempt): boolean =>
  settlement.state !== 'OPEN' && settlement.by !== id;

/** Server clock, or never. */
export const expiresAtMs = ({ expiresAt }: Attempt): number =>
  expiresAt === null ? Infinity : Date.parse(expiresAt);

/**
 * What is known after another answer about the same attempt. Answers may overtake each other (a create's, a read's,
 * another tab's), so a state is never lowered: open gives way to final, unpaid to paid, and nothing goes back.
 */
export function merge(known: Attempt, next: Attempt): Attempt {
  if (known.kind !== next.kind || known.rail !== next.rail) return known;
  const gain = rank(next) - rank(known);
  const stale =
    gain < 0 ||
    (gain === 0 &&
      ((isFinal(known.status) && known.status !== next.status) ||
        Date.parse(next.updatedAt) < Date.parse(known.updatedAt)));
  const [kept, other] = stale ? [known, next] : [next, known];
  const settled = known.settlement.state === 'OPEN' ? next.settlement : known.settlement;
  return {
    ...kept,
    ...('sourceData' in kept
      ? { sourceData: kept.sourceData ?? ('sourceData' in other ? other.sourceData : null) }
      : {}),
    settlement: { ...settled, duplicate: known.settlement.duplicate || next.settlement.duplicate },
  } as Attempt;
}

const rank = ({ status }: Attempt): number => (isPaid(status) ? 2 : isFinal(status) ? 1 : 0);

/** The attempt on the screen, or the one the payer comes from. */
export function currentOf(screen: Screen): Attempt | null {
  if ('attempt' in screen) return screen.attempt;
  if ('replacing' in screen) return screen.replacing;
  if (screen.phase !== 'failed') return null;
  return 'attempt' in screen.doing ? screen.doing.attempt : screen.doing.replacing;
}

export function offerOf(screen: Screen): Offer | null {
  if ('offer' in screen) return screen.offer;
  return screen.phase === 'failed' && 'offer' in screen.doing ? screen.doing.offer : null;
}

/** An attempt the payer could still pay: leaving it is worth a question. */
export function openAttempt({ screen }: State): Attempt | null {
  const current = currentOf(screen);
  return current && isOpen(current) && screen.phase !== 'lapsed' ? current : null;
}

/** The open attempt asks for another amount than the order does now. The key's own amount is the one to pay. */
export function amountChanged({ screen }: State): boolean {
  return (
    'attempt' in screen &&
    screen.offer !== null &&
    isOpen(screen.attempt) &&
    screen.attempt.amountInCents !== screen.offer.amountInCents
  );
}

/** Whether the offer has both kinds of Bre-B key. A payer knows one Bre-B, so they are one method then. */
export const hasBothKeys = ({ methods }: Offer): boolean =>
  (['QR_CODE', 'SINGLE_USE'] as const).every((keyType) =>
    methods.some((method) => method.rail === 'BRE_B' && 'keyType' in method && method.keyType === keyType),
  );

/**
 * The methods that both the offer and the element's attributes allow, in the merchant's order. Of two kinds of key the
 * QR's is asked for, because its answer has the key too.
 */
export function methodsOf(offer: Offer, { rails, keyType, hosted }: Config): Offering['methods'] | null {
  const place = ({ rail }: Method) => (rails && rail ? rails.indexOf(rail) : 0);
  const wantedKey = keyType ?? (hasBothKeys(offer) ? 'QR_CODE' : null);
  const methods = offer.methods.filter(
    (method) =>
      place(method) >= 0 &&
      (method.kind === 'PAYMENT_LINK'
        ? hosted || !offer.methods.some(({ kind }) => kind === 'PAYIN')
        : !hosted && (wantedKey === null || method.rail === 'PSE' || method.keyType === wantedKey)),
  );
  // Sorting is stable: methods of one rail stay as the offer has them.
  methods.sort((one, other) => place(one) - place(other));
  const [first, ...rest] = methods;
  return first ? [first, ...rest] : null;
}

/** Whether two are the same way of paying, as far as both say. */
export function isAlike(
  one: Method | Choice | RememberedChoice | Attempt,
  other: Method | Choice | RememberedChoice | Attempt,
): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'PAYMENT_LINK' || other.kind === 'PAYMENT_LINK') return true;
  const [key, otherKey] = [keyTypeOf(one), keyTypeOf(other)];
  return one.rail === other.rail && (key === otherKey || !key || !otherKey);
}

function keyTypeOf(method: object): unknown {
  const { keyType, sourceData } = method as { keyType?: string; sourceData?: { keyType?: string } | null };
  return keyType ?? sourceData?.keyType;
}

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
