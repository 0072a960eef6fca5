import type { esForm } from './es/form.js';
import type { esKey } from './es/key.js';
import type { esModal } from './es/modal.js';
import type { esOpening } from './es/opening.js';
import type { esPaying } from './es/paying.js';

/**
 * Every word the payer can meet. One flat object per language; a page may replace some of them with the `messages`
 * property. Texts with a changing part are functions, so that each language orders its words freely. The Spanish
 * catalogue, which comes in the files whose screens show it, says which words there are.
 */
export interface Messages extends OpeningMessages, PayingMessages, FormMessages, KeyMessages, ModalMessages {}

/** The names of a catalogue, with any text in the place of its own. */
type InAnyLanguage<Catalogue> = {
  readonly [Name in keyof Catalogue]: Catalogue[Name] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : Catalogue[Name];
};

export type OpeningMessages = InAnyLanguage<typeof esOpening>;
export type PayingMessages = InAnyLanguage<typeof esPaying>;
export type FormMessages = InAnyLanguage<typeof esForm>;
export type KeyMessages = InAnyLanguage<typeof esKey>;
export type ModalMessages = InAnyLanguage<typeof esModal>;

/** Why the payer cannot go on; each text says what to do next. */
export type ErrorReason = keyof OpeningMessages['errors'];
/** What is wrong with a field, said as how to fix it. */
export type FieldMessage = keyof FormMessages['fieldErrors'];
/** `DIFFERS` and `TWICE` are approved too, and say what is particular about it. */
export type ReceiptState = keyof PayingMessages['states'];
export type DeclineReason = keyof PayingMessages['reasons'];
