import { type TemplateResult, html } from 'lit';
import type { Messages } from '../../locales/messages.js';
import { sideButton } from './common.js';

/** Asks before an open payment is closed. Staying is the safe answer, so Escape means it and it has the focus. */
export function renderLeave(words: Messages, answer: (leave: boolean) => void): TemplateResult {
  return html`<dialog
    class="leave"
    role="alertdialog"
    aria-labelledby="leave-title"
    aria-describedby="leave-lead"
    @close=${(event: Event) => {
      event.stopPropagation();
      answer(false);
    }}
    @cancel=${(event: Event) => event.stopPropagation()}
  >
    <h2 id="leave-title">${words.leaveTitle}</h2>
    <p class="lead" id="leave-lead">${words.leaveLead}</p>
    <div class="row">
      ${sideButton(words.leaveClose, () => answer(true))}
      <button class="btn" part="button" type="button" autofocus @click=${() => answer(false)}>
        ${words.leaveStay}
      </button>
    </div>
  </dialog>`;
}
