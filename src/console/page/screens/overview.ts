import { html, nothing, type TemplateResult } from 'lit';
import type { HealthView } from '../../../contract/console.js';
import type { Collected, Overview } from '../../../contract/sales.js';
import type { ChartData } from '../chart.js';
import { count, day, duration, money, shortMoment, thousands } from '../../../look/parts/format.js';
import { type Content, empty, heading } from '../../../look/parts/parts.js';
import { reasonWords } from '../../../look/reasons.js';
import { amount, pending, rail, stale } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

interface Shown {
  readonly collected: Readonly<Record<'today' | 'week' | 'month', Collected>>;
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
    return html`${heading(words.sections.overview, words.overview.lead)}
    ${stale(this.shell, this.data && this.problem)}
    ${this.data ? this.#all(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #all({ collected, health }: Shown): Content {
    const { words } = this.shell;
    const cards = [
      ['1', collected.today],
      ['7', collected.week],
      ['30', collected.month],
    ] as const;
    return html`<ul class="cards">
        ${cards.map(([days, sums]) => this.#card(days, sums))}
      </ul>
      ${this.#attention(health)}
      ${
        this.detail === undefined
          ? html`<p class="pending" role="status">${words.loading}</p>`
          : this.#charts(this.detail)
      }
      ${this.#health(health)}`;
  }

  #card(days: (typeof PERIODS)[number], { paid, paidInCents, averageInCents }: Collected): Content {
    const { shell } = this;
    const { words, language } = shell;
    return html`<li>
      <a
        class="panel card"
        href=${toRoute('overview', '', { days })}
        aria-current=${days === this.#period ? 'true' : nothing}
      >
        <span>${words.overview.periods[days]}</span>
        <b class="big">${money(paidInCents, language)}</b>
        <span class="hint">${words.overview.payments(count(paid, language), paid)}</span>
        <span class="hint">${words.overview.average}: ${amount(averageInCents, shell)}</span>
      </a>
    </li>`;
  }

  #attention({ store }: HealthView): Content {
    const { words } = this.shell;
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
      asTable,
    });
    if (waits.length > 0)
      charts.push({
        title: overview.waits,
        rows: words.facts.rail,
        labels: waits.map((wait) => rail(wait.rail, shell)),
        series: [
          { label: overview.median, values: waits.map(({ medianMs }) => medianMs) },
          { label: overview.p90, values: waits.map(({ p90Ms }) => p90Ms) },
        ],
        format: (value) => duration(value, language),
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
        lying: true,
        asTable,
      });
    return charts;
  }

  #health({ ready, store, workRunning, lastRoundAt, service }: HealthView): Content {
    const { words, language } = this.shell;
    const { health } = words;
    const at = (text: string | null) => (text === null ? words.noValue : shortMoment(text, language));
    const failures = ({ failed }: HealthView['service']['reads']) =>
      Object.entries(failed)
        .map(([kind, times]) => `${kind}: ${times}`)
        .join(', ') || health.none;
    return html`<section class="panel">
      <h2>
        ${health.title}
        <span class="chip ${ready ? 'good' : 'bad'}">${ready ? health.well : health.ill}</span>
      </h2>
      <dl class="facts">
        ${(
          [
            [health.work, workRunning ? at(lastRoundAt) : health.byTicks],
            [health.due, store === null ? health.away : `${store.due}`],
            [
              health.notices,
              store === null ? health.away : health.since(store.waitingNotices, at(store.oldestNoticeAt)),
            ],
            [health.events, store === null ? health.away : `${store.unmatchedEvents}`],
            [health.speed, health.calls(service.reads.meanMs, service.creates.meanMs)],
            [health.failures, `${failures(service.reads)} / ${failures(service.creates)}`],
          ] as const
        ).map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
    </section>`;
  }
}
