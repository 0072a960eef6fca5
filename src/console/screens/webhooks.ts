import { html, nothing, type TemplateResult } from 'lit';
import type { LogEvent, MishapView } from '../../contract/console.js';
import { ApiError } from '../api.js';
import { type Content, empty, eventList, heading, pending, stale } from '../parts.js';
import { Screen } from '../screen.js';

interface Shown {
  readonly events: readonly LogEvent[];
  readonly mishaps: readonly MishapView[];
}

/** How many events are shown at first, and added on demand. */
const A_FEW = 20;

/** The webhooks that the service sent to the backend, and the switches for mishaps. */
export class ConsoleWebhooks extends Screen<Shown> {
  static override properties = { ...Screen.properties, most: { state: true } };
  declare protected most: number;

  constructor() {
    super();
    this.most = A_FEW;
  }

  protected async load(signal: AbortSignal): Promise<Shown> {
    const { api } = this.shell;
    const [events, mishaps] = await Promise.all([
      api.get<LogEvent[]>('/events', signal),
      api.get<MishapView[]>('/mishaps', signal),
    ]);
    return { events, mishaps };
  }

  async #switch(scenario: string, scope: 'everywhere' | 'next', on: boolean): Promise<void> {
    try {
      await this.shell.api.send('PUT', '/mishaps', { scenario, scope, on });
      await this.refresh();
    } catch (error) {
      this.problem = error instanceof ApiError ? error.problem : 'failed';
    }
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`${heading(words.webhooks.title, words.webhooks.lead)}
    ${stale(this.shell, this.data && this.problem)}
    ${this.data ? this.#both(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #both({ events, mishaps }: Shown): Content {
    const { words } = this.shell;
    const active = mishaps.filter(({ always, next }) => always || next > 0).length;
    return html`<div class="columns">
      <section class="panel">
        <h2>${words.webhooks.log}</h2>
        ${
          events.length === 0
            ? empty(words.webhooks.empty, words.webhooks.emptyHint)
            : eventList(this.shell, events.slice(0, this.most))
        }
        ${
          events.length > this.most
            ? html`<p>
                <button class="button plain" type="button" @click=${() => (this.most += A_FEW)}>
                  ${words.webhooks.more}
                </button>
              </p>`
            : nothing
        }
      </section>
      <section class="panel aside">
        <h2>
          ${words.webhooks.mishaps}
          ${active > 0 ? html`<span class="chip care">${words.webhooks.active(active)}</span>` : nothing}
        </h2>
        <p class="hint">${words.webhooks.mishapsLead}</p>
        <ul class="mishaps">
          ${mishaps.map((mishap) => this.#mishap(mishap))}
        </ul>
      </section>
    </div>`;
  }

  #mishap({ name, always, next, ...text }: MishapView): Content {
    const { words, language } = this.shell;
    const toggle = (scope: 'everywhere' | 'next', label: string, on: boolean) =>
      html`<button
        class="switch"
        type="button"
        role="switch"
        aria-checked=${on}
        aria-label=${`${name}: ${label}`}
        @click=${() => void this.#switch(name, scope, !on)}
      >
        ${label}
      </button>`;
    return html`<li>
      <div>
        <code>${name}</code>
        <p>${text[language]}</p>
      </div>
      <div class="switches">
        ${toggle('everywhere', words.webhooks.always, always)}
        ${toggle('next', words.webhooks.next, next > 0)}
      </div>
    </li>`;
  }
}
