import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { formatMoney, spokenMoney } from '../../contract/values/money.js';
import { returnIdIn, withReturnId } from '../../contract/return-id.js';
import { isFinal } from '../../contract/status.js';
import { type IconName, ICONS } from '../../look/icons.js';
import { bankName } from '../../sandbox/api/attempt-view.js';
import { BANK_CHOICES } from '../../sandbox/pages/bank.js';
import type { LinkRecord, Outcome, PayinRecord } from '../../sandbox/service/state.js';
import type { PanelWords } from './words.js';
import type { Simulator } from '../simulator.js';

/** The widget's members used here. Its class is not imported, because pages bring their own. */
export type Widget = HTMLElement & { transport?: unknown; reset?: () => void };

type Played =
  | { readonly page: 'bank'; readonly payinId: string; readonly from: Widget | null }
  | {
      readonly page: 'hosted';
      readonly linkId: string;
      readonly from: Widget | null;
      readonly widget: Widget;
    };

interface PlayedHost extends ReactiveControllerHost {
  readonly simulator: Simulator | null;
  readonly words: PanelWords;
  readonly language: string;
}

/** Events of the widget on the played page, kept from the shop's page: the shop never sees them in reality. */
const WIDGET_EVENTS = [
  'checkout-ready',
  'payin-created',
  'payin-updated',
  'payin-confirmed',
  'payin-declined',
  'payin-canceled',
  'payin-lapsed',
  'checkout-redirect',
  'checkout-finished',
  'checkout-error',
  'checkout-closed',
] as const;

/**
 * The pages that a payer leaves the shop for, played in a dialog: the bank and the page of a payment link. Coming back
 * is what it would be on a page of its own: the return id is in the address and the checkout reads it.
 */
export class PlayedPages implements ReactiveController {
  readonly #host: PlayedHost;
  #played: Played | null = null;
  #paid = false;

  constructor(host: PlayedHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#close();
  }

  /** Opens the page at an address that a checkout is leaving for. False when it is not a simulated page. */
  leave(url: string, from: Widget): boolean {
    const { simulator } = this.#host;
    if (!simulator?.owns(url)) return false;
    const [, page, name = ''] = new URL(url).pathname.split('/');
    if (page === 'bank') this.#openBank(decodeURIComponent(name), from);
    else if (page === 'link') this.openLink(decodeURIComponent(name), from);
    return true;
  }

  /** Opens a link; `from` is the shop's widget to come back to, if any. */
  openLink(linkId: string, from: Widget | null): void {
    const { simulator } = this.#host;
    if (!simulator) return;
    // The same tag as the shop's, which may have been defined under a name of its own.
    const widget = document.createElement(from?.localName ?? 'pay-checkout') as Widget;
    Object.assign(widget, { transport: simulator.hosted(linkId), order: linkId });
    const link = this.#link(linkId);
    if (link?.bank) widget.setAttribute('bank', link.bank);
    for (const name of WIDGET_EVENTS)
      widget.addEventListener(name, (event) => this.#onWidgetEvent(event, widget));
    this.#show({ page: 'hosted', linkId, from, widget });
  }

  /** Something changed in the service: a page whose payment is over leads back by itself. */
  changed(): void {
    const played = this.#played;
    if (played?.page === 'bank') {
      const payin = this.#payin(played.payinId);
      if (!payin || isFinal(payin.status)) this.#comeBack();
    } else if (played?.page === 'hosted' && this.#link(played.linkId)?.status === 'EXPIRED') this.#comeBack();
  }

  render(): TemplateResult | typeof nothing {
    const played = this.#played;
    if (!played) return nothing;
    const { words } = this.#host;
    const close = () => this.#close();
    const label = played.page === 'bank' ? words.payer.bankName : words.hostedTitle;
    return html`<dialog class=${played.page} aria-label=${label} @close=${close}>
      <div class="strip">
        <span>${icon('flask')}${words.badge}</span>
        <button type="button" aria-label=${words.close} @click=${close}>${icon('cross')}</button>
      </div>
      <div class="page">${played.page === 'bank' ? this.#bank(played.payinId) : this.#hosted(played)}</div>
    </dialog>`;
  }

  hostUpdated(): void {
    const { renderRoot } = this.#host as PlayedHost & { renderRoot: ParentNode };
    const dialog = renderRoot.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal();
  }

  #bank(payinId: string): TemplateResult | typeof nothing {
    const { words, language } = this.#host;
    const payin = this.#payin(payinId);
    if (payin?.source.rail !== 'PSE') return nothing;
    const { bank } = payin.source;
    return html`<div class="summary">
        <span class="tile">${icon('bank')}</span>
        <div class="who">
          <b>${words.payer.bankName}</b><span>${words.payer.bankPlays(bankName(bank))}</span>
        </div>
        <span class="total" aria-label=${spokenMoney(payin.amountInCents, 'COP', language)} role="text"
          >${formatMoney(payin.amountInCents, 'COP', language)}</span
        >
      </div>
      <div class="body">
        <div>
          <h2 class="title">${words.payer.bankTitle}</h2>
          <p class="lead">${words.payer.bankLead}</p>
        </div>
        <div class="stack">
          ${BANK_CHOICES.filter(({ value }) => value !== 'back').map(
            ({ value, icon: picture, tone, title, what, outcome }) =>
              html`<button
                type="button"
                name="action"
                value=${value}
                class="choice ${tone}"
                @click=${() => this.#decide(payin, outcome)}
              >
                <span class="ico">${icon(picture)}</span>
                <span><b>${words.payer[title]}</b><span class="what">${words.payer[what]}</span></span>
                <span class="chevron">${icon('chevron')}</span>
              </button>`,
          )}
        </div>
      </div>`;
  }

  #hosted({ widget }: Extract<Played, { page: 'hosted' }>): TemplateResult {
    const { words } = this.#host;
    return html`${widget}
    ${this.#paid ? nothing : html`<button type="button" @click=${() => this.#comeBack()}>${words.payer.leave}</button>`}`;
  }

  #onWidgetEvent(event: Event, widget: Widget): void {
    event.stopPropagation();
    switch (event.type) {
      case 'payin-confirmed':
        this.#paid = true;
        this.#host.requestUpdate();
        return;
      case 'checkout-redirect':
        event.preventDefault();
        this.leave((event as Event & { url: string }).url, this.#played?.from ?? widget);
        return;
      case 'checkout-finished':
        event.preventDefault();
        return this.#comeBack();
      default:
    }
  }

  #openBank(bankToken: string, from: Widget): void {
    const payin = this.#host.simulator?.sandbox.engine.visitBank(bankToken);
    if (!payin) return;
    this.#show({ page: 'bank', payinId: payin.id, from: from.isConnected ? from : null });
    this.changed();
  }

  #decide(payin: PayinRecord, outcome: Outcome | null): void {
    // Scenarios may delay the outcome until after the payer is back.
    if (outcome) this.#host.simulator?.sandbox.engine.decide(payin.id, outcome);
    this.#comeBack();
  }

  #show(played: Played): void {
    this.#close();
    this.#played = played;
    this.#host.requestUpdate();
  }

  #close(): void {
    this.#played = null;
    this.#paid = false;
    this.#host.requestUpdate();
  }

  /** Plays the return from the bank: the return id is in the address and the checkout starts again. */
  #comeBack(): void {
    const played = this.#played;
    if (!played) return;
    this.#close();
    const record = played.page === 'bank' ? this.#payin(played.payinId) : this.#link(played.linkId);
    const returned = record?.callbackUrl && returnIdIn(record.callbackUrl);
    if (!returned || !played.from?.isConnected) return;
    history.replaceState(history.state, '', withReturnId(location.href, returned));
    played.from.reset?.();
  }

  #payin(id: string): PayinRecord | undefined {
    const found = this.#host.simulator?.sandbox.engine.find(id);
    return found?.kind === 'payin' ? found : undefined;
  }

  #link(id: string): LinkRecord | undefined {
    const found = this.#host.simulator?.sandbox.engine.find(id);
    return found?.kind === 'link' ? found : undefined;
  }
}

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]}></path></svg>`;
}
