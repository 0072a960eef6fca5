import { type TemplateResult, css, html, nothing } from 'lit';
import type { Check } from '../../../machine/state.js';
import { Countdown } from './countdown.js';
import type { KeyContext } from '../context.js';

interface Awaited {
  readonly check: Check;
  readonly attempt: { readonly expiresAt: string | null };
}

/** What is left to do before the payer can have paid. */
interface Next {
  readonly label: string;
  readonly press: (event: Event) => void;
}

/**
 * The live line at the foot of a screen, which stays in sight: what we wait for, how long it is good for, and a way to
 * ask now. With a `next` it is the bar of a phone, with one main button: what is left to do, and at last the question.
 */
export function waitLine(
  { check, attempt }: Awaited,
  context: KeyContext,
  words: { expiresIn: (time: string) => string; expiresSoon: (minutes: number) => string },
  next?: Next | null,
): TemplateResult {
  const { messages, send, helper } = context;
  const left = helper(Countdown).left(
    Date.parse(attempt.expiresAt ?? ''),
    context.nowMs + context.clockOffsetMs,
    words.expiresSoon,
  );
  const asking = check === 'ASKING';
  const ask = () => asking || send({ type: 'check' });
  const asked = asking ? html`<span class="spin"></span>${messages.checking}` : messages.alreadyPaid;
  const soon = left?.startsWith('0:') ? 'soon' : nothing;
  return html`<div class="wait" part="wait">
    <i class="pulse"></i>
    <div>
      ${messages.waitingPayment}
      ${left === null ? nothing : html`<small class=${soon} role="timer">${words.expiresIn(left)}</small>`}
    </div>
    ${
      next === null
        ? nothing
        : html`<button
            class="btn ghost small"
            part="button-secondary"
            type="button"
            aria-disabled=${asking}
            @click=${ask}
          >
            ${asked}
          </button>`
    }
    ${
      next === undefined
        ? nothing
        : html`<button
            class="btn"
            part="button"
            type="button"
            aria-disabled=${!next && asking}
            @click=${next?.press ?? ask}
          >
            ${next?.label ?? asked}
          </button>`
    }
    ${check === 'NOTHING_YET' ? html`<p>${messages.notYet}</p>` : nothing}
    ${check === 'UNREACHABLE' ? html`<p>${messages.trouble}</p>` : nothing}
  </div>`;
}

/**
 * What the line says stands above its button, which so keeps its place at the window's edge; what gets the focus is not
 * left behind the line. The pulse breathes when the screen appears, then is still: an animation without end keeps the
 * phone drawing.
 */
export const waitLineStyles = css`
  .wait {
    position: sticky;
    inset-block-end: var(--pay-bottom, 0px);
    display: flex;
    flex-wrap: wrap;
    gap: 8px 14px;
    align-items: center;
    padding: 14px var(--_pad);
    border-block-start: 1px solid var(--_border);
    border-radius: 0 0 calc(var(--_radius) + 3px) calc(var(--_radius) + 3px);
    background: var(--_surface-sunken);
    font-size: 0.9375em;
    line-height: 1.35;
  }
  .wait div {
    flex: 1;
    min-inline-size: 0;
  }
  .wait small {
    display: block;
    font-size: 0.867em;
    color: var(--_text-muted);
    font-variant-numeric: tabular-nums;
  }
  .wait p {
    order: -1;
    flex-basis: 100%;
    color: var(--_text-muted);
  }
  .body:has(+ .wait) :focus-visible {
    scroll-margin-block-end: 10em;
  }
  .soon {
    color: var(--_caution);
    font-weight: 650;
  }
  .pulse {
    position: relative;
    inline-size: 10px;
    block-size: 10px;
    margin: 5px;
    border-radius: 50%;
    background: var(--_accent);
  }
  .pulse::after {
    content: '';
    position: absolute;
    inset: -5px;
    border-radius: 50%;
    background: inherit;
    opacity: 0.18;
    animation: breathe 2s ease-in-out 3;
  }
  @container (max-width: 21em) {
    .wait .btn {
      inline-size: 100%;
    }
  }
  @media (forced-colors: active) {
    .pulse {
      forced-color-adjust: none;
      background: Highlight;
    }
  }
`;
