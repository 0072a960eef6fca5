import { type TemplateResult, css } from 'lit';
import { esKey } from '../../../locales/es/key.js';
import { esLink } from '../../../locales/es/link.js';
import { esPse } from '../../../locales/es/pse.js';
import { type OpenScreen, type PayingContext, withWords } from '../context.js';
import { styles as keyStyles } from '../key/key.js';
import { renderLapsed } from '../open-attempt.js';
import { renderAtBank, styles as pseStyles } from '../pse/pse.js';
import { linkStyles, renderLink } from './link-screen.js';

/** A file of its own: a payment link is shown with the tools of a key, or followed as one goes to a bank. */

export function renderOpen(screen: OpenScreen, context: PayingContext): TemplateResult {
  const worded = withWords({ ...esKey, ...esPse, ...esLink }, context);
  const { messages } = worded;
  switch (screen.phase) {
    case 'link':
      return renderLink(screen, worded);
    case 'lapsed':
      return renderLapsed(screen, context, {
        title: messages.linkExpiredTitle,
        lead: messages.linkExpiredLead,
        again: messages.newLink,
      });
    default:
      return renderAtBank(screen, worded);
  }
}

export const styles = css`
  ${keyStyles}
  ${pseStyles}
  ${linkStyles}
`;
