import type { ReactiveController } from 'lit';
import { type TemplateResult, css, html, nothing } from 'lit';
import { esModal } from '../locales/es/modal.js';
import type { ModalMessages, OpeningMessages } from '../locales/messages.js';
import type { Host } from './host.js';
import { icon, sideButton } from './opening/common.js';

export interface ModalFacts {
  readonly open: boolean;
  /** Names the dialog. */
  readonly label: string;
  readonly messages: OpeningMessages;
  /** Whether there is a payment that closing would walk away from. */
  readonly asks: () => boolean;
  readonly close: () => void;
}

/** One checkout's dialog: opened and closed after each render, and with a question before an open payment is left. */
export class Modal implements ReactiveController {
  readonly #host: Host;
  #facts: ModalFacts | undefined;
  #leaving = false;
  #pressed = false;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdated(): void {
    const dialog = this.#find('modal');
    if (!dialog?.isConnected) return;
    if (!this.#facts?.open) dialog.close();
    else if (!dialog.matches(':modal')) {
      // A dialog that was moved in the page is open, but no longer above it.
      dialog.close();
      dialog.showModal();
      // Not the first button, which closes: reading starts at the dialog's name.
      dialog.focus();
    }
    const leave = this.#find('leave');
    if (!leave || leave.open) return;
    leave.showModal();
    leave.querySelector<HTMLElement>('.btn:not(.ghost)')?.focus();
  }

  render(content: unknown, facts: ModalFacts): TemplateResult {
    this.#facts = facts;
    // Once the payment is over there is nothing left to ask.
    this.#leaving &&= facts.open && facts.asks();
    const { messages, label } = facts;
    return html`<dialog
      class="modal"
      part="dialog"
      tabindex="-1"
      aria-label=${label}
      @keydown=${this.#key}
      @cancel=${this.#cancel}
      @close=${this.#closed}
      @pointerdown=${this.#down}
      @pointerup=${this.#up}
    >
      <div class="bar">
        <button class="close" part="close" type="button" aria-label=${messages.close} @click=${this.#ask}>
          ${icon('M6 6l12 12M18 6 6 18')}
        </button>
      </div>
      ${content}${this.#leaving ? this.#question({ ...esModal, ...messages }) : nothing}
    </dialog>`;
  }

  /** Staying is the safe answer, so Escape means it and it has the focus. */
  #question(messages: ModalMessages): TemplateResult {
    return html`<dialog
      class="leave"
      role="alertdialog"
      aria-labelledby="leave-title"
      aria-describedby="leave-lead"
      @close=${this.#stay}
    >
      <div class="body">
        <div>
          <h2 id="leave-title">${messages.leaveTitle}</h2>
          <p class="lead" id="leave-lead">${messages.leaveLead}</p>
        </div>
        <div class="row">
          <button class="btn" part="button" type="button" @click=${this.#stay}>${messages.leaveStay}</button>
          ${sideButton(messages.leaveClose, () => this.#facts?.close())}
        </div>
      </div>
    </dialog>`;
  }

  /** The payer wants to close: an open payment is worth a question. */
  readonly #ask = (): void => {
    if (this.#facts?.asks()) {
      this.#leaving = true;
      this.#host.requestUpdate();
    } else this.#facts?.close();
  };

  readonly #stay = (): void => {
    this.#find('leave')?.close();
    this.#leaving = false;
    this.#host.requestUpdate();
  };

  /** Browsers that count gestures close at an Escape too many without asking the page; its key can still be taken. */
  readonly #key = (event: KeyboardEvent): void => {
    const own = event.currentTarget === (event.target as Element).closest('dialog');
    if (event.key === 'Escape' && own && !event.defaultPrevented) this.#cancel(event);
  };

  readonly #cancel = (event: Event): void => {
    event.preventDefault();
    this.#ask();
  };

  /** Closed by the browser whatever the page says, as some do at a second swipe back: then closed it is. */
  readonly #closed = (): void => {
    if (this.#facts?.open && !this.#find('modal')?.open) this.#facts.close();
  };

  readonly #down = (event: PointerEvent): void => {
    this.#pressed = isOutside(event);
  };

  /** A press that begins and ends outside: neither text dragged out of the card nor a slip into it is one. */
  readonly #up = (event: PointerEvent): void => {
    if (this.#pressed && isOutside(event)) this.#ask();
  };

  #find(name: 'modal' | 'leave'): HTMLDialogElement | null {
    return this.#host.renderRoot.querySelector(`dialog.${name}`);
  }
}

/** A press on the backdrop is the dialog's own; where it was tells it from one on the dialog's edge. */
function isOutside({ target, currentTarget, isPrimary, button, clientX, clientY }: PointerEvent): boolean {
  if (target !== currentTarget || !isPrimary || button !== 0) return false;
  const { left, right, top, bottom } = (target as Element).getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

export const styles = css`
  dialog.modal,
  .leave {
    margin: auto;
    padding: 0;
    inline-size: 48rem;
    max-inline-size: calc(100% - 32px);
    max-block-size: calc(100% - 32px);
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) + 4px);
    background: var(--_surface);
    color: inherit;
    box-shadow: 0 24px 64px -16px rgb(16 24 40/0.4);
    overscroll-behavior: contain;
  }
  .leave {
    inline-size: 26rem;
  }
  .leave .row {
    flex-direction: row;
  }
  dialog::backdrop {
    background: rgb(10 14 24/0.55);
  }
  .modal:focus {
    outline: 0;
  }
  .modal .card {
    border: 0;
    border-radius: 0;
    box-shadow: none;
    background: none;
  }
  .modal .summary {
    padding-block-start: 0;
  }
  .bar {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    display: flex;
    justify-content: end;
    padding: 6px 8px;
    background: var(--_surface);
  }
  .close {
    inline-size: 44px;
    block-size: 44px;
    border: 0;
    border-radius: 50%;
    background: none;
    color: var(--_text-muted);
    display: flex;
    align-items: center;
    justify-content: center;
    cursor: pointer;
  }
  .close:hover {
    background: var(--_surface-sunken);
    color: inherit;
  }
  @media (max-width: 40em) {
    dialog.modal {
      inline-size: 100%;
      block-size: 100%;
      max-inline-size: none;
      max-block-size: none;
      border: 0;
      border-radius: 0;
    }
  }
  @media print {
    dialog.modal {
      position: absolute;
      inset: 0 0 auto;
      max-block-size: none;
      border: 0;
      box-shadow: none;
    }
    .bar {
      display: none;
    }
  }
`;
