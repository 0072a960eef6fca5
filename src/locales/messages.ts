import type { esKey } from './es/key.js';
import type { esLink } from './es/link.js';
import type { esModal } from './es/modal.js';
import type { esOpening } from './es/opening.js';
import type { esPaying } from './es/paying.js';
import type { esPse } from './es/pse.js';

/**
 * Every word the payer can meet. One flat object per language; a page may replace some of them with the `messages`
 * property. Texts with a changing part are functions, so that each language orders its words freely. The Spanish
 * catalogue, which comes in the files whose screens show it, says which words there are.
 */
export interface Messages
  extends OpeningMessages, PayingMessages, KeyMessages, PseMessages, LinkMessages, ModalMessages {}

/** The names of a catalogue, with any text in the place of its own. */
type InAnyLanguage<Catalogue> = {
  readonly [Name in keyof Catalogue]: Catalogue[Name] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : Catalogue[Name];
};

export type OpeningMessages = InAnyLanguage<typeof esOpening>;
export type PayingMessages = InAnyLanguage<typeof esPaying>;
export type KeyMessages = InAnyLanguage<typeof esKey>;
export type PseMessages = InAnyLanguage<typeof esPse>;
export type LinkMessages = InAnyLanguage<typeof esLink>;
export type ModalMessages = InAnyLanguage<typeof esModal>;

/** Why the payer cannot go on; each text says what to do next. */
export type ErrorReason = keyof OpeningMessages['errors'];
/** What is wrong with a field, said as how to fix it. */
export type FieldMessage = keyof PseMessages['fieldErrors'];
/** `DIFFERS` and `TWICE` are approved too, and say what is particular about it. */
export type ReceiptState = keyof PayingMessages['states'];
export type DeclineReason = keyof PayingMessages['reasons'];
