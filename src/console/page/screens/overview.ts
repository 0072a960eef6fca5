import { html, nothing, type TemplateResult } from 'lit';
import type { HealthView } from '../../../contract/merchant/console.js';
import type { Collected, Overview, Periods } from '../../../contract/merchant/sales.js';
import type { ChartData } from '../charts/chart.js';
import { count, day, duration, money, thousands } from '../../../look/parts/format.js';
import { type Content, empty, heading } from '../../../look/parts/parts.js';
import { reasonWords } from '../../../look/reasons.js';
import { amount, rail } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

interface Shown {
  readonly collected: Periods;
  readonly health: HealthView;
}

const PERIODS = ['1', '7', '30'] as const;

/** The first page: what came in, how it went, and whether all is well. */
export class ConsoleOverview extends Screen<Shown> {
  static override properties = { ...Screen.properties, detail: { state: true } };
  declare protected detail: Overview | undefined;

  /** The sums come first; the rest follows when it is there. */
  protected async load(signal: AbortSignal): Promise<Shown> {
    const { api } = this.shell;
    const shown = await api.get<Shown>('/overview', signal);
    void this.#loadDetail(signal);
    return shown;
  }

  async #loadDetail(signal: AbortSignal): Promise<void> {
    const detail = await this.shell.api
      .get<Overview>(`/overview/${this.#period}`, signal)
      .catch(() => undefined);
    if (detail && !signal.aborted) this.detail = detail;
  }

  get #period(): (typeof PERIODS)[number] {
    const wanted = this.route.query.get('days');
    return PERIODS.find((each) => each === wanted) ?? '30';
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`${heading(words.groups.sales, words.overview.lead)}
    ${this.answered((data) => this.#all(data))}`;
  }

  #all({ collected, health }: Shown): Content {
    const { words } = this.shell;
    const cards = [
      ['1', collected.today],
      ['7', collected.week],
      ['30', collected.month],
    ] as const;
    return html`<ul class="cards">
        ${cards.map(([days, sums]) => this.#card(days, sums, collected))}
      </ul>
      ${this.#attention(health)}
      ${
        this.detail === undefined
          ? html`<p class="pending" role="status">${words.loading}</p>`
          : this.#charts(this.detail)
      }`;
  }

  #card(days: (typeof PERIODS)[number], sums: Collected, { yesterday, weekAgo }: Periods): Content {
    const { shell } = this;
    const { words, language } = shell;
    const { paid, paidInCents, returnedInCents, netInCents, averageInCents } = sums;
    const { overview } = words;
    return html`<li>
      <a
        class="panel card"
        href=${toRoute('overview', '', { days })}
        aria-current=${days === this.#period ? 'true' : nothing}
      >
        <span>${overview.periods[days]}</span>
        <b class="big">${money(paidInCents, language)}</b>
        <span class="hint">${overview.payments(count(paid, language), paid)}</span>
        ${
          returnedInCents === 0
            ? nothing
            : html`<span class="hint"
                >${overview.returned(money(returnedInCents, language), money(netInCents, language))}</span
              >`
        }
        ${
          days === '1'
            ? html`<span class="hint"
                >${overview.before(money(yesterday.paidInCents, language), money(weekAgo.paidInCents, language))}</span
              >`
            : html`<span class="hint">${overview.average}: ${amount(averageInCents, shell)}</span>`
        }
      </a>
    </li>`;
  }

  #attention({ ready, store }: HealthView): Content {
    const { words } = this.shell;
    if (!ready) return html`<p class="trouble"><a href=${toRoute('payins')}>${words.health.ill}</a></p>`;
    if (store === null || store.review + store.unmatchedEvents === 0) return nothing;
    return html`<p class="trouble">
      <a href=${toRoute('review')}>${words.overview.needsPerson(store.review + store.unmatchedEvents)}</a>
    </p>`;
  }

  #charts(detail: Overview): Content {
    const { words } = this.shell;
    const started = detail.methods.reduce((sum, method) => sum + method.started, 0);
    if (started === 0 && detail.paid === 0) return empty(words.overview.empty, words.overview.emptyHint);
    return html`<section class="charts" aria-label=${words.overview.figures}>
      ${this.#dataOf(detail).map(
        (data) => html`<console-chart class="panel chart" .data=${data}></console-chart>`,
      )}
    </section>`;
  }

  #dataOf({ days, methods, waits, reasons }: Overview): readonly ChartData[] {
    const { shell } = this;
    const { words, language } = shell;
    const { overview } = words;
    const { asTable } = overview;
    const plain = (value: number) => count(value, language);
    const charts: ChartData[] = [];
    if (days.length > 1)
      charts.push({
        title: overview.byDay,
        rows: overview.day,
        labels: days.map(({ date }) => day(date, language)),
        series: [{ label: overview.collected, values: days.map(({ paidInCents }) => paidInCents) }],
        format: (value) => money(value, language),
        formatShort: (value) => thousands(value, language),
        asTable,
      });
    charts.push({
      title: overview.byMethod,
      rows: words.facts.rail,
      labels: methods.map((method) => rail(method.rail, shell)),
      series: (['started', 'shown', 'paid', 'declined', 'open', 'failed'] as const).map((step) => ({
        label: overview.steps[step],
        values: methods.map((method) => method[step]),
      })),
      format: plain,
      whole: true,
      asTable,
    });
    if (waits.length > 0)
      charts.push({
        title: overview.waits,
        rows: words.facts.rail,
        labels: waits.map((wait) => rail(wait.rail, shell)),
        series: [
          { label: overview.median, values: waits.map(({ medianMs }) => medianMs / 1_000) },
          { label: overview.p90, values: waits.map(({ p90Ms }) => p90Ms / 1_000) },
        ],
        format: (value) => duration(value * 1_000, language),
        whole: true,
        lying: true,
        asTable,
      });
    if (reasons.length > 0)
      charts.push({
        title: overview.reasons,
        rows: overview.reason,
        labels: reasons.map(
          (each) => `${reasonWords(each.reason, shell.language)} · ${rail(each.rail, shell)}`,
        ),
        series: [{ label: overview.times, values: reasons.map((each) => each.count) }],
        format: plain,
        whole: true,
        lying: true,
        asTable,
      });
    return charts;
  }
}
