import { html, nothing, type TemplateResult } from 'lit';
import type { LinkView, LogEvent } from '../../contract/console.js';
import { moment, webAddress } from '../format.js';
import { amount, chip, type Content, eventList, facts, heading, pending, rail, stale } from '../parts.js';
import { qrPicture } from '../qr.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

interface Shown {
  readonly link: LinkView;
  readonly events: readonly LogEvent[];
}

/** One payment link: its address to copy, its QR, and what became of it. */
export class ConsoleLink extends Screen<Shown> {
  static override properties = { ...Screen.properties, copied: { state: true } };
  declare protected copied: 'yes' | 'no' | undefined;

  protected async load(signal: AbortSignal): Promise<Shown> {
    const { api } = this.shell;
    const link = await api.get<LinkView>(`/links/${encodeURIComponent(this.route.id)}`, signal);
    const events =
      link.serviceId === null
        ? []
        : await api
            .get<LogEvent[]>(`/events?about=${encodeURIComponent(link.serviceId)}`, signal)
            .catch(() => []);
    return { link, events };
  }

  async #copy(address: string): Promise<void> {
    const field = this.querySelector<HTMLInputElement>('#link-address');
    try {
      await navigator.clipboard.writeText(address);
      this.copied = 'yes';
    } catch {
      // No clipboard, or not allowed: the reader's own keyboard still can.
      field?.focus();
      field?.select();
      this.copied = 'no';
    }
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`<a class="back" href="#/links">← ${words.sections.links}</a>
      ${heading(`${words.links.detail} ${this.data?.link.reference ?? ''}`)}
      ${stale(this.shell, this.data && this.problem)}
      ${this.data ? this.#detail(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #detail({ link, events }: Shown): Content {
    const { shell } = this;
    const { words, language } = shell;
    const at = (text: string | null) => (text === null ? null : moment(text, language));
    const address = webAddress(link.url);
    return html`<section class="panel">
        <p class="bar" role="status">
          <span class="big">${amount(link.amountInCents, shell)}</span> ${chip(link.state, shell)}
          <span class="sentence">${words.links.states[link.state]}</span>
        </p>
        ${address !== null && link.state === 'PENDING' ? this.#share(address) : nothing}
        ${facts(shell, [
          ['flow', words.links.flows[link.flow]],
          ['rail', link.rail === null ? null : rail(link.rail, shell)],
          ['bank', link.bank],
          ['payer', link.customer],
          ['created', at(link.createdAt)],
          ['expires', at(link.expiresAt)],
          ['completed', at(link.completedAt)],
          ['serviceId', link.serviceId],
        ])}
        ${
          link.state === 'EXPIRED' || link.state === 'UNCLEAR'
            ? html`<p><a class="button" href=${toRoute('links', 'new')}>${words.links.create}</a></p>`
            : nothing
        }
      </section>
      <section class="panel">
        <h2>${words.links.events}</h2>
        ${events.length > 0 ? eventList(shell, events) : html`<p class="hint">${words.payins.noEvents}</p>`}
      </section>`;
  }

  #share(address: string): Content {
    const { words } = this.shell;
    return html`<div class="share">
      <figure>
        <img src=${qrPicture(address)} alt=${words.links.qr} width="220" height="220" />
        <figcaption class="hint">${words.links.qrHint}</figcaption>
      </figure>
      <div>
        <label for="link-address">${words.links.address}</label>
        <input id="link-address" readonly .value=${address} />
        <p class="bar">
          <button class="button" type="button" @click=${() => void this.#copy(address)}>${words.copy}</button>
          <a class="button plain" href=${address} target="_blank" rel="noopener">${words.links.open}</a>
        </p>
        <p role="status" class="hint">
          ${this.copied === 'yes' ? words.copied : this.copied === 'no' ? words.notCopied : nothing}
        </p>
      </div>
    </div>`;
  }
}
