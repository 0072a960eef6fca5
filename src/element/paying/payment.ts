import { type TemplateResult, css, html, nothing } from 'lit';
import type { State } from '../../machine/state.js';
import type { PayingContext } from './context.js';
import { bankStyles, renderBank } from './bank.js';
import { renderChoose } from '../opening/choose.js';
import { type Drawn, creatingWords, result } from '../opening/common.js';
import { outcomeStyles, renderOutcome } from './outcomes/outcome.js';
import { FormPart, KeyPart } from './parts.js';
import { renderRefused } from './outcomes/refused.js';

/** The screens since a method was chosen. Null while the part that draws it is on its way. */
export function renderPaying(state: State, context: PayingContext): Drawn | null {
  const { screen, hint } = state;
  const { keep } = context;
  switch (screen.phase) {
    case 'idle':
    case 'loading':
    case 'returning':
    case 'choosing':
      // The opening draws them.
      return nothing;
    case 'failed':
      return renderRefused(screen, context);
    case 'creating': {
      const { choice, replacing } = screen;
      const again = replacing && replacing.kind === choice.kind && replacing.rail === choice.rail;
      if (again) return waiting(creatingWords(choice, context.messages));
      const filled = choice.kind === 'PAYIN' && (choice.rail === 'PSE' || choice.customer);
      if (!filled) return renderChoose(screen, hint, context);
      return keep(FormPart).module?.renderForm(screen, state, context) ?? null;
    }
    case 'details':
      return keep(FormPart).module?.renderForm(screen, state, context) ?? null;
    case 'paying':
    case 'link':
      return keep(KeyPart).module?.renderKey(screen, context) ?? null;
    case 'redirecting':
    case 'verifying':
    case 'pending':
      return renderBank(screen, context);
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
  ${bankStyles}
  .small {
    inline-size: auto;
    min-block-size: 44px;
    padding: 6px 14px;
    border-radius: var(--_inner);
    font-size: 0.875em;
  }
  .failed,
  .hint {
    font-size: 0.875em;
    line-height: 1.4;
    color: var(--_caution);
  }
  .hint {
    font-size: 0.8125em;
    color: var(--_text-muted);
  }
`;
