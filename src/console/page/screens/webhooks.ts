import { html, nothing, type TemplateResult } from 'lit';
import type { LogEvent } from '../../../contract/merchant/console.js';
import { eventList } from '../events.js';
import { type Content, empty, heading } from '../../../look/parts/parts.js';
import { Screen } from '../screen.js';

/** How many events are shown at first, and added on demand. */
const A_FEW = 20;

/** The webhooks that the service sent to the backend. */
export class ConsoleWebhooks extends Screen<readonly LogEvent[]> {
  static override properties = { ...Screen.properties, most: { state: true } };
  declare protected most: number;

  constructor() {
    super();
    this.most = A_FEW;
  }

  protected load(signal: AbortSignal): Promise<readonly LogEvent[]> {
    return this.shell.api.get('/events', signal);
  }

  protected override render(): TemplateResult {
    const { words, sandboxUrl } = this.shell;
    const mishaps =
      sandboxUrl === ''
        ? nothing
        : html`<a
            class="button plain"
            href=${`${sandboxUrl}/_/?section=mishaps`}
            target="_blank"
            rel="noopener"
            >${words.webhooks.mishaps}</a
          >`;
    return html`${heading(words.sections.webhooks, words.webhooks.lead, mishaps)}
    ${this.answered((data) => this.#list(data))}`;
  }

  #list(events: readonly LogEvent[]): Content {
    const { words } = this.shell;
    if (events.length === 0) return empty(words.webhooks.empty, words.webhooks.emptyHint);
    return html`<section class="panel">
      ${eventList(this.shell, events.slice(0, this.most))}
      ${
        events.length > this.most
          ? html`<p>
              <button class="button plain" type="button" @click=${() => (this.most += A_FEW)}>
                ${words.more}
              </button>
            </p>`
          : nothing
      }
    </section>`;
  }
}
