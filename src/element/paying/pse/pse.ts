import { type TemplateResult, css, type nothing } from 'lit';
import { esPse } from '../../../locales/es/pse.js';
import type { Creating, Details, State } from '../../../machine/state.js';
import { type OpenScreen, type PayingContext, type PseContext, withWords } from '../context.js';
import { renderLapsed, renderPreparing } from '../open-attempt.js';
import { bankFieldStyles } from './bank-field.js';
import { bankStyles, pending, redirecting, verifying } from './bank-screens.js';
import { detailsStyles, renderDetails } from './details.js';
import { fieldStyles } from './field.js';

/**
 * A file of its own: the form, and the way to the bank and back. Every payment by PSE shows both; one by Bre-B shows the
 * form where the merchant asks for the payer's details.
 */

export const renderForm = (
  screen: Details | Creating,
  state: State,
  context: PayingContext,
): TemplateResult | typeof nothing => renderDetails(screen, state, withWords(esPse, context));

export const renderOpen = (screen: OpenScreen, context: PayingContext): TemplateResult =>
  renderAtBank(screen, withWords(esPse, context));

export function renderAtBank(screen: OpenScreen, context: PseContext): TemplateResult {
  const { messages } = context;
  switch (screen.phase) {
    case 'preparing':
      return renderPreparing(screen, context, {
        title: messages.preparingTitle,
        lead: messages.preparingLead,
        stalledTitle: messages.stalledTitle,
        stalledLead: messages.stalledLead,
      });
    case 'redirecting':
      return redirecting(screen, context);
    case 'verifying':
      return verifying(screen, context);
    case 'pending':
      return pending(screen, context);
    case 'lapsed':
      return renderLapsed(screen, context, {
        title: messages.lapsedPseTitle,
        lead: messages.lapsedPseLead,
        again: messages.tryAgain,
      });
    default:
      throw new TypeError(`Not a screen of a bank's: ${screen.phase}`);
  }
}

export const styles = css`
  ${fieldStyles}
  ${bankFieldStyles}
  ${detailsStyles}
  ${bankStyles}
`;
