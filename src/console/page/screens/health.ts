import { html, nothing, type TemplateResult } from 'lit';
import type { HealthView } from '../../../contract/merchant/console.js';
import { shortMoment } from '../../../look/parts/format.js';
import { type Content, factList } from '../../../look/parts/parts.js';
import { Screen } from '../screen.js';

/** How the checkout and the service are doing, for the operator. */
export class ConsoleHealth extends Screen<HealthView> {
  protected async load(signal: AbortSignal): Promise<HealthView> {
    return (await this.shell.api.get<{ health: HealthView }>('/overview', signal)).health;
  }

  protected override render(): TemplateResult {
    return html`${this.data ? this.#detail(this.data) : nothing}`;
  }

  #detail({ ready, store, workRunning, lastRoundAt, service }: HealthView): Content {
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
      ${factList([
        [health.work, workRunning ? at(lastRoundAt) : health.byTicks],
        [health.due, store === null ? health.away : `${store.due}`],
        [
          health.notices,
          store === null ? health.away : health.since(store.waitingNotices, at(store.oldestNoticeAt)),
        ],
        [health.events, store === null ? health.away : `${store.unmatchedEvents}`],
        [health.speed, health.calls(service.reads.meanMs, service.creates.meanMs)],
        [health.failures, `${failures(service.reads)} / ${failures(service.creates)}`],
      ])}
    </section>`;
  }
}
