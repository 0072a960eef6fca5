import { css, nothing } from 'lit';
import type { State } from '../../machine/state.js';
import type { PayingContext } from './context.js';
import { renderChoose } from '../opening/choose.js';
import { type Drawn, creatingWords } from '../opening/common.js';
import { outcomeStyles, renderOutcome } from './outcomes/outcome.js';
import { renderWaiting } from './open-attempt.js';
import { PseChunk, chunkOf } from './chunks.js';
import { renderRefused } from './outcomes/refused.js';

/** The screens since a method was chosen. Null while the chunk that draws it is on its way. */
export function renderPaying(state: State, context: PayingContext): Drawn | null {
  const { screen, hint } = state;
  const { helper } = context;
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
      if (again) return renderWaiting(creatingWords(choice, context.messages));
      const filled = choice.kind === 'PAYIN' && (choice.rail === 'PSE' || choice.customer);
      if (!filled) return renderChoose(screen, hint, context);
      return helper(PseChunk).module?.renderForm(screen, state, context) ?? null;
    }
    case 'details':
      return helper(PseChunk).module?.renderForm(screen, state, context) ?? null;
    case 'preparing':
    case 'paying':
    case 'redirecting':
    case 'verifying':
    case 'pending':
    case 'link':
    case 'lapsed':
      return helper(chunkOf(screen.attempt)).module?.renderOpen(screen, context) ?? null;
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

export const payingStyles = css`
  .ghost {
    background: transparent;
    border-color: var(--_border);
    color: inherit;
  }
  .ghost:hover {
    background: var(--_surface-sunken);
    filter: none;
  }
  .calm {
    background: var(--_surface-sunken);
    color: var(--_accent);
  }
  ${outcomeStyles}
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
