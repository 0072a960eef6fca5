import { type TemplateResult, css, html, nothing } from 'lit';
import type { State } from '../../../machine/state.js';
import type { PayingContext } from '../context.js';
import { appsStyles } from './apps.js';
import { bankFieldStyles } from './bank-field.js';
import { bankStyles, renderBank } from './bank.js';
import { brebStyles, renderBreb } from './breb.js';
import { renderChoose } from '../../opening/choose.js';
import { type Drawn, creatingWords, result } from '../../opening/common.js';
import { outcomeStyles, renderOutcome } from '../outcomes/outcome.js';
import { copyRowStyles } from './copy-row.js';
import { detailsStyles, renderDetails } from './details.js';
import { fieldStyles } from './field.js';
import { linkStyles, renderLink } from './link.js';
import { renderOneDevice } from './one-device.js';
import { phoneStyles } from './phone.js';
import { qrStyles } from './qr.js';
import { waitLineStyles } from './wait-line.js';

/** The screens since a method was chosen. */
export function renderPaying(state: State, context: PayingContext): Drawn {
  const { screen, hint } = state;
  switch (screen.phase) {
    case 'idle':
    case 'loading':
    case 'returning':
    case 'choosing':
    case 'failed':
      // The opening draws them.
      return nothing;
    case 'creating': {
      const { choice, replacing } = screen;
      const again = replacing && replacing.kind === choice.kind && replacing.rail === choice.rail;
      if (again) return waiting(creatingWords(choice, context.messages));
      const filled = choice.kind === 'PAYIN' && (choice.rail === 'PSE' || choice.customer);
      return filled ? renderDetails(screen, state, context) : renderChoose(screen, hint, context);
    }
    case 'details':
      return renderDetails(screen, state, context);
    case 'paying':
      return context.touch ? renderOneDevice(screen, context) : renderBreb(screen, context);
    case 'redirecting':
    case 'verifying':
    case 'pending':
      return renderBank(screen, context);
    case 'link':
      return renderLink(screen, context);
    case 'preparing':
    case 'lapsed':
    case 'confirmed':
    case 'amount-differs':
    case 'duplicate':
    case 'declined':
    case 'canceled':
      return renderOutcome(screen, state, context);
    default:
      throw new TypeError(`Unknown screen: ${JSON.stringify(screen satisfies never)}`);
  }
}

function waiting(text: string): TemplateResult {
  return html`<div class="body" part="body">${result('calm', null, text)}</div>`;
}

export const payingStyles = css`
  ${outcomeStyles}
  ${copyRowStyles}
  ${qrStyles}
  ${waitLineStyles}
  ${brebStyles}
  ${appsStyles}
  ${phoneStyles}
  ${linkStyles}
  ${fieldStyles}
  ${bankFieldStyles}
  ${detailsStyles}
  ${bankStyles}
`;
