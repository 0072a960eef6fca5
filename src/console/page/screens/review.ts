import { html, nothing, type TemplateResult } from 'lit';
import type { ReviewPage } from '../../../contract/merchant/sales.js';
import { shortMoment } from '../../../look/parts/format.js';
import { type Content, empty, heading } from '../../../look/parts/parts.js';
import { rowList } from '../listed.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

interface Shown extends ReviewPage {
  readonly unmatchedEvents: number;
  readonly oldestUnmatchedEventAt: string | null;
}

/** What needs a person, with what each thing means. */
export class ConsoleReview extends Screen<Shown> {
  protected load(signal: AbortSignal): Promise<Shown> {
    const after = this.route.query.get('after');
    return this.shell.api.get(
      after === null ? '/review' : `/review?after=${encodeURIComponent(after)}`,
      signal,
    );
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`${heading(words.sections.review, words.review.lead)}
    ${this.answered((data) => this.#list(data))}`;
  }

  #list({ orders, next, unmatchedEvents, oldestUnmatchedEventAt }: Shown): Content {
    const { words, language } = this.shell;
    return html`${
      unmatchedEvents === 0
        ? nothing
        : html`<section class="panel">
            <h2>${words.review.unmatched(unmatchedEvents)}</h2>
            <p>
              ${
                oldestUnmatchedEventAt === null
                  ? nothing
                  : words.review.since(shortMoment(oldestUnmatchedEventAt, language))
              }
              ${words.review.unmatchedHint}
            </p>
            <p><a class="button plain" href=${toRoute('reconcile')}>${words.sections.reconcile}</a></p>
          </section>`
    }
    ${
      orders.length === 0
        ? unmatchedEvents === 0
          ? empty(words.review.empty, words.review.emptyHint)
          : nothing
        : rowList(
            this.shell,
            orders.map(({ order, items }) => ({
              id: order ?? items[0]?.reference ?? '',
              href: order === null ? toRoute('payouts') : toRoute('orders', order),
              main: order ?? items[0]?.reference ?? words.sections.payouts,
              about: items.map(({ kind }) => words.review.kinds[kind].name).join(' · '),
              at: items[0]?.since ?? '',
              state: html`<span class="chip care">${words.review.items(items.length)}</span>`,
            })),
          )
    }
    ${
      next === null
        ? nothing
        : html`<p>
            <a class="button plain" href=${toRoute('review', '', { after: next })}>${words.more}</a>
          </p>`
    }`;
  }
}
