import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { bankName } from '../../contract/payer/bank-list.js';
import { formatMoney, spokenMoney } from '../../contract/values/money.js';
import { withReturnId } from '../../contract/return-address.js';
import { returnIdIn } from '../../contract/return-id.js';
import { isFinal } from '../../contract/status.js';
import { type IconName, ICONS } from '../../look/icons.js';
import { SAMPLE_CUSTOMER } from '../../sandbox/api/customer.js';
import { BANK_CHOICES } from '../../sandbox/pages/bank.js';
import { METHODS, type Method, methodsOf, paymentBy } from '../../sandbox/pages/link.js';
import type { LinkRecord, Outcome, PayinRecord } from '../../sandbox/service/state.js';
import type { PanelWords } from './words.js';
import type { Simulator } from '../simulator.js';

/** The widget's members used here. Its class is not imported, because pages bring their own. */
export type Widget = HTMLElement & { transport?: unknown; reset?: () => void };

/** The record whose page is played, and the shop's widget to come back to. */
interface Played {
  readonly id: string;
  readonly from: Widget | null;
}

interface PlayedHost extends ReactiveControllerHost {
  readonly simulator: Simulator | null;
  readonly words: PanelWords;
  readonly language: string;
}

interface Choice {
  readonly value: string;
  readonly icon: IconName;
  readonly tone?: string;
  readonly title: string;
  readonly what: string;
  readonly choose: () => void;
}

interface PageContent {
  readonly record: PayinRecord | LinkRecord;
  readonly icon: IconName;
  readonly who: string;
  readonly detail: string;
  readonly title: string;
  readonly lead: string;
  readonly choices: readonly Choice[];
  readonly below?: TemplateResult;
}

/** A link asks for no bank here; this one is played. */
const PLAYED_BANK = 'CO_BANCOLOMBIA';

/**
 * The pages that a payer leaves the shop for, played in a dialog: the bank and the page of a payment link. Coming back
 * is what it would be on a page of its own: the return id is in the address and the checkout reads it.
 */
export class PlayedPages implements ReactiveController {
  readonly #host: PlayedHost;
  #played: Played | null = null;

  constructor(host: PlayedHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#show(null);
  }

  /** Opens the page at an address that a checkout is leaving for. False when it is not a simulated page. */
  leave(url: string, from: Widget): boolean {
    const { simulator } = this.#host;
    if (!simulator?.owns(url)) return false;
    const [, page, name = ''] = new URL(url).pathname.split('/');
    const named = decodeURIComponent(name);
    const id = page === 'bank' ? simulator.sandbox.engine.visitBank(named)?.id : named;
    if (id !== undefined) this.open(id, from);
    return true;
  }

  /** Opens the page of a link or a payin; `from` is the shop's widget to come back to, if any. */
  open(id: string, from: Widget | null): void {
    this.#show({ id, from });
    this.changed();
  }

  /** Something changed in the service: a page whose payment is over leads back by itself. */
  changed(): void {
    if (!this.#played) return;
    const record = this.#record();
    if (!record || isFinal(record.status)) this.#comeBack();
  }

  render(): TemplateResult | typeof nothing {
    const record = this.#record();
    if (!record) return nothing;
    const { words } = this.#host;
    const close = () => this.#show(null);
    const label = record.kind === 'link' ? words.hostedTitle : words.payer.bankName;
    return html`<dialog aria-label=${label} @close=${close}>
      <div class="strip">
        <span>${icon('flask')}${words.badge}</span>
        <button type="button" aria-label=${words.close} @click=${close}>${icon('cross')}</button>
      </div>
      <div class="page">${record.kind === 'link' ? this.#link(record) : this.#bank(record)}</div>
    </dialog>`;
  }

  hostUpdated(): void {
    const { renderRoot } = this.#host as PlayedHost & { renderRoot: ParentNode };
    const dialog = renderRoot.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal();
  }

  /** The bank's page, or its app where the payer pays by Bre-B. */
  #bank(payin: PayinRecord): TemplateResult {
    const { payer } = this.#host.words;
    const { source } = payin;
    return this.#page({
      record: payin,
      icon: 'bank',
      who: payer.bankName,
      detail: source.rail === 'PSE' ? payer.bankPlays(bankName(source.bank)) : source.keyString,
      title: payer.bankTitle,
      lead: payer.bankLead,
      choices: BANK_CHOICES.filter(({ value }) => value !== 'back').map((each) => ({
        ...each,
        title: payer[each.title],
        what: payer[each.what],
        choose: () => this.#decide(payin, each.outcome),
      })),
    });
  }

  #link(link: LinkRecord): TemplateResult {
    const { words, simulator } = this.#host;
    const { payer } = words;
    return this.#page({
      record: link,
      icon: 'link',
      who: simulator?.sandbox.engine.merchant ?? '',
      detail: link.reference,
      title: payer.linkTitle,
      lead: words.hostedTitle,
      choices: methodsOf(link).map((method) => ({
        value: method,
        icon: METHODS[method].icon,
        title: payer[METHODS[method].title],
        what: payer[METHODS[method].what],
        choose: () => this.#pay(link, method),
      })),
      below: html`<button type="button" @click=${() => this.#comeBack()}>${payer.leave}</button>`,
    });
  }

  #page({ record, icon: picture, who, detail, title, lead, choices, below }: PageContent): TemplateResult {
    const { language } = this.#host;
    return html`<div class="summary">
        <span class="tile">${icon(picture)}</span>
        <div class="who"><b>${who}</b><span>${detail}</span></div>
        <span class="total" aria-label=${spokenMoney(record.amountInCents, 'COP', language)} role="text"
          >${formatMoney(record.amountInCents, 'COP', language)}</span
        >
      </div>
      <div class="body">
        <div>
          <h2 class="title">${title}</h2>
          <p class="lead">${lead}</p>
        </div>
        <div class="stack">${choices.map(choiceButton)} ${below ?? nothing}</div>
      </div>`;
  }

  /** Starts a payment of the link as a sample payer would, and goes on to the bank. */
  #pay(link: LinkRecord, method: Method): void {
    const { engine } = this.#host.simulator?.sandbox ?? {};
    const payer = link.inlineCustomer ?? SAMPLE_CUSTOMER;
    const payin = engine?.payLink(link.id, paymentBy(method, link.bank ?? PLAYED_BANK, payer));
    if (payin) this.open(payin.id, this.#played?.from ?? null);
  }

  #decide(payin: PayinRecord, outcome: Outcome | null): void {
    // Scenarios may delay the outcome until after the payer is back.
    if (outcome) this.#host.simulator?.sandbox.engine.decide(payin.id, outcome);
    this.#comeBack();
  }

  #show(played: Played | null): void {
    this.#played = played;
    this.#host.requestUpdate();
  }

  /** Plays the return from the bank: the return id is in the address and the checkout starts again. */
  #comeBack(): void {
    const [played, record] = [this.#played, this.#record()];
    this.#show(null);
    const returned = record?.callbackUrl && returnIdIn(record.callbackUrl);
    if (!returned || !played?.from?.isConnected) return;
    history.replaceState(history.state, '', withReturnId(location.href, returned));
    played.from.reset?.();
  }

  #record(): PayinRecord | LinkRecord | undefined {
    const found = this.#played && this.#host.simulator?.sandbox.engine.find(this.#played.id);
    return found && found.kind !== 'payout' ? found : undefined;
  }
}

function choiceButton({ value, icon: picture, tone = '', title, what, choose }: Choice): TemplateResult {
  return html`<button type="button" name="action" value=${value} class="choice ${tone}" @click=${choose}>
    <span class="ico">${icon(picture)}</span>
    <span><b>${title}</b><span class="what">${what}</span></span>
    <span class="chevron">${icon('chevron')}</span>
  </button>`;
}

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]}></path></svg>`;
}
