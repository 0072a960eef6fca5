import { html, nothing, type TemplateResult } from 'lit';
import type { MaskedReceiver, PayoutView } from '../../../contract/merchant/payouts.js';
import { moment } from '../../../look/parts/format.js';
import { chip, type Content, copyable, heading } from '../../../look/parts/parts.js';
import { amount, documentText, facts, orderLine, reasonLine, sandboxLine } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

/** One payout from "is this the person?" to its event. What it shows is what the database says, reload or not. */
export class ConsolePayout extends Screen<PayoutView> {
  static override properties = {
    ...Screen.properties,
    accepted: { state: true },
    asked: { state: true },
  };
  /** The reader knows that the key belongs to another person. */
  declare protected accepted: boolean;
  /** The reader pressed once, and is asked again by name. */
  declare protected asked: boolean;

  constructor() {
    super();
    this.accepted = false;
    this.asked = false;
  }

  protected load(signal: AbortSignal): Promise<PayoutView> {
    return this.shell.api.get(`/payouts/${encodeURIComponent(this.route.id)}`, signal);
  }

  readonly #send = async (): Promise<void> => {
    const path = `/payouts/${encodeURIComponent(this.route.id)}/send`;
    if (!(await this.send('POST', path, { version: this.data?.version, accepted: this.accepted }))) return;
    // The pressed button goes away, and the focus with it.
    this.querySelector<HTMLElement>('h1')?.focus();
  };

  readonly #askAgain = async (): Promise<void> => {
    this.asked = true;
    await this.updateComplete;
    // Not the button itself, so that a second press of the same key does nothing.
    this.querySelector<HTMLElement>('p.danger')?.focus();
  };

  readonly #discard = async (): Promise<void> => {
    const gone = await this.send('DELETE', `/payouts/${encodeURIComponent(this.route.id)}`);
    if (!gone) return;
    this.shell.go('#/payouts');
    this.shell.announce(this.shell.words.payouts.discarded);
  };

  protected override render(): TemplateResult {
    const { words } = this.shell;
    const { data } = this;
    const isDraft = data?.state === 'DRAFT';
    return html`<a class="back" href="#/payouts">← ${words.sections.payouts}</a> ${
        isDraft
          ? heading(words.payouts.confirmTitle, words.payouts.confirmLead)
          : heading(`${words.payouts.detail} ${data?.reference ?? ''}`)
      }
      ${this.answered((data) => this.#detail(data))}`;
  }

  #detail(payout: PayoutView): Content {
    const { shell } = this;
    const { words, language } = shell;
    const { receiver, state } = payout;
    const sum = amount(payout.amountInCents, shell);
    return html`<section class="panel">
        <p class="bar" role="status">
          <span class="big">${sum}</span> ${chip(state, shell)}
          <span class="sentence">${words.payouts.states[state]} ${this.#why(payout)}</span>
        </p>
        ${state === 'DRAFT' ? this.#comparison(receiver) : nothing}
        ${facts(shell, [
          ['receiver', html`<b>${receiver.name}</b>`],
          ['key', receiver.key],
          ['document', documentText(receiver.document, shell)],
          ['bank', receiver.bank],
          ['account', receiver.account],
          ['reference', copyable(shell, words.facts.reference, payout.reference)],
          [
            'returnOf',
            payout.payment &&
              html`<a href=${toRoute('payins', payout.payment)}>${words.returns.seePayin}</a>`,
          ],
          ['order', orderLine(shell, payout.order)],
          ['error', reasonLine(shell, payout.errorCode)],
          ['serviceId', copyable(shell, words.facts.serviceId, payout.serviceId)],
          ['note', state === 'DRAFT' ? payout.note : null],
        ])}
        ${state === 'DRAFT' ? this.#decision(sum, receiver) : nothing}
        ${sandboxLine(shell, 'payouts', payout.serviceId)}
      </section>
      <section class="panel">
        <h2>${words.payouts.progress}</h2>
        <ol class="steps">
          ${payout.steps.map(
            ({ step, at }) =>
              html`<li>
                <b>${words.payouts.steps[step] ?? step}</b>
                <time datetime=${at}>${moment(at, language)}</time>
              </li>`,
          )}
        </ol>
      </section>
      ${state === 'DRAFT' ? nothing : this.#note(payout)}`;
  }

  /** Sending to another person than expected takes a second press, on a button with their name. */
  #decision(sum: string, { name, differs }: MaskedReceiver): Content {
    const { words } = this.shell;
    const discard = html`<button class="button plain" type="button" @click=${this.#discard}>
      ${words.payouts.discard}
    </button>`;
    if (differs === true && this.asked) {
      return html`<p class="danger" role="alert" tabindex="-1">${words.returns.sure(name)}</p>
        <p class="bar">
          <button class="button danger" type="button" @click=${this.#send}>
            ${words.returns.again(name)}
          </button>
          ${discard}
        </p>`;
    }
    const press = differs === true ? this.#askAgain : this.#send;
    return html`<p class="bar">
      <button
        class="button ${differs === true ? 'danger' : ''}"
        type="button"
        ?disabled=${differs === true && !this.accepted}
        @click=${press}
      >
        ${words.payouts.send(sum)}
      </button>
      ${discard}
    </p>`;
  }

  /** The expected person beside the owner of the key. When they differ, the reader must accept that first. */
  #comparison({ name, document, typed, differs }: MaskedReceiver): Content {
    const { shell } = this;
    const { words } = shell;
    if (!typed) return nothing;
    const row = (label: string, left: string | null, right: string | null) =>
      html`<tr>
        <th scope="row">${label}</th>
        <td>${left ?? words.noValue}</td>
        <td>${right ?? words.noValue}</td>
      </tr>`;
    return html`<table class="compared">
        <caption class=${differs ? 'danger' : ''}>
          ${differs ? words.returns.differs : words.returns.same}
        </caption>
        <thead>
          <tr>
            <td></td>
            <th scope="col">${words.returns.typed}</th>
            <th scope="col">${words.returns.found}</th>
          </tr>
        </thead>
        <tbody>
          ${row(words.customer.name, typed.name, name)}
          ${row(words.facts.document, documentText(typed.document, shell), documentText(document, shell))}
        </tbody>
      </table>
      ${
        differs
          ? html`<label class="accept danger">
              <input
                type="checkbox"
                .checked=${this.accepted}
                @change=${(event: Event) => (this.accepted = (event.currentTarget as HTMLInputElement).checked)}
              />
              <span>${words.returns.accept}</span>
            </label>`
          : nothing
      }`;
  }

  #note({ id, note }: PayoutView): Content {
    return html`<console-note
      .shell=${this.shell}
      .path=${`/payouts/${encodeURIComponent(id)}/note`}
      .note=${note}
    ></console-note>`;
  }

  #why({ state, reason }: PayoutView): string {
    if (state !== 'REFUSED') return '';
    const { refusals } = this.shell.words.payouts;
    return refusals[reason ?? ''] ?? refusals.other;
  }
}
