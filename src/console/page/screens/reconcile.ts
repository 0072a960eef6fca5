import { html, nothing, type TemplateResult } from 'lit';
import type { ReconciledPayment, Reconciliation } from '../../../contract/merchant/sales.js';
import { ConsoleForm } from '../form.js';
import { money, shortMoment, today } from '../../../look/parts/format.js';
import { type Content, copyable, factList, heading } from '../../../look/parts/parts.js';
import { toRoute } from '../route.js';

interface Compared extends Reconciliation {
  readonly compared: number;
}

/** Compares some days with the service, and settles what was missed. */
export class ConsoleReconcile extends ConsoleForm {
  static override properties = { ...ConsoleForm.properties, result: { state: true } };
  declare protected result: Compared | undefined;

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const value = this.values(event.currentTarget as HTMLFormElement);
    this.result = undefined;
    const result = await this.post<Compared>('/reconcile', { from: value('from'), to: value('to') });
    if (result === undefined) return;
    this.result = result;
    this.shell.announce(this.shell.words.reconcile.done(result.compared, result.payments.length));
  };

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`${heading(words.sections.reconcile, words.reconcile.lead)}
      <form class="panel" novalidate @submit=${this.#submit}>
        ${this.refusal()}
        <div class="pair">
          ${this.text('from', words.attempts.from, { type: 'date', value: today() })}
          ${this.text('to', words.attempts.to, { type: 'date', value: today() })}
        </div>
        <p class="bar">
          <button class="button" type="submit" aria-disabled=${this.busy}>
            ${this.busy ? words.reconcile.running : words.reconcile.submit}
          </button>
        </p>
      </form>
      ${this.result === undefined ? nothing : this.#result(this.result)}`;
  }

  /** The service lists payins, and each leads to its page. */
  #payment({ reference, serviceId }: ReconciledPayment): Content {
    return serviceId !== null ? html`<a href=${toRoute('payins', serviceId)}>${reference}</a>` : reference;
  }

  #result({ compared, payments, theirsInCents, oursInCents, stoppedBy }: Compared): Content {
    const { words, language } = this.shell;
    return html`<section class="panel">
      <h2>${words.reconcile.done(compared, payments.length)}</h2>
      ${stoppedBy === null ? nothing : html`<p class="trouble">${words.reconcile.stopped}</p>`}
      ${factList([
        [words.reconcile.theirs, money(theirsInCents, language)],
        [words.reconcile.ours, money(oursInCents, language)],
      ])}
      ${
        payments.length === 0
          ? nothing
          : html`<ul class="plain-list">
              ${payments.map(
                (each) =>
                  html`<li>
                    <p class="bar">
                      <b
                        >${copyable(this.shell, words.facts.reference, each.reference, this.#payment(each))}</b
                      >
                      <span
                        class="chip ${each.result === 'settled' || each.result === 'adopted' ? 'good' : 'care'}"
                        >${words.reconcile.results[each.result]}</span
                      >
                      <time datetime=${each.createdAt}>${shortMoment(each.createdAt, language)}</time>
                      ${
                        each.order === null
                          ? nothing
                          : html`<a href=${toRoute('orders', each.order)}>${each.order}</a>`
                      }
                    </p>
                    <p class="hint">
                      ${words.reconcile.theirs}: ${money(each.theirsInCents, language)} ·
                      ${words.reconcile.ours}: ${money(each.oursInCents, language)}
                    </p>
                  </li>`,
              )}
            </ul>`
      }
    </section>`;
  }
}
