import { type TemplateResult, css, type nothing } from 'lit';
import { esForm } from '../../../locales/es/form.js';
import type { Creating, Details, State } from '../../../machine/state.js';
import { type PayingContext, withWords } from '../context.js';
import { bankFieldStyles } from './bank-field.js';
import { detailsStyles, renderDetails } from './details.js';
import { fieldStyles } from './field.js';

/** A file of its own: the form, for payments that ask the payer for something, as every one by PSE does. */

export const renderForm = (
  screen: Details | Creating,
  state: State,
  context: PayingContext,
): TemplateResult | typeof nothing => renderDetails(screen, state, withWords(esForm, context));

export const styles = css`
  ${fieldStyles}
  ${bankFieldStyles}
  ${detailsStyles}
`;
