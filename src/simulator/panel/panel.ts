import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { formatMoney } from '../../contract/values/money.js';
import { isFinal } from '../../contract/status.js';
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from '../../sandbox/service/scenarios.js';
import { wrongAmountsFor } from '../../sandbox/service/settlement.js';
import type { LinkRecord, Outcome, PayinRecord } from '../../sandbox/service/state.js';
import { panelStyles } from './styles.js';
import { type PanelWords, panelWords } from './words.js';
import { icon, PlayedPages, type Widget } from './played-pages.js';
import type { Simulator } from '../simulator.js';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/**
 * The simulator's panel: says that no money moves, decides what becomes of a payment, and plays the pages that a payer
 * would leave for. A simulator without one on the page puts one in the corner.
 *
 * @tag pay-checkout-simulator
 * @summary Decides what happens in a simulated checkout, and says that it is one.
 */
export class PayCheckoutSimulatorElement extends LitElement {
  static readonly tag = 'pay-checkout-simulator';
  static override readonly styles = panelStyles;
  static override readonly properties = {
    simulator: { attribute: false },
    floating: { type: Boolean, reflect: true },
    locale: {},
  };

  static readonly #connected = new Set<PayCheckoutSimulatorElement>();

  /** Registers the element; `createSimulator` does so by itself. */
  static define(): void {
    if (!customElements.get(this.tag)) customElements.define(this.tag, this);
  }

  /** The panels on the page that show this simulator. */
  static panelsOf(simulator: Simulator): PayCheckoutSimulatorElement[] {
    return [...this.#connected].filter((panel) => panel.simulator === simulator);
  }

  /** What `createSimulator` gave. */
  declare simulator: Simulator | null;
  /** In a corner of the window instead of where it stands. */
  declare floating: boolean;
  /** Language. Default: the nearest `lang`; Spanish unless that is English. */
  declare locale: string | null;

  readonly #pages = new PlayedPages(this);
  #unsubscribe: (() => void) | undefined;

  constructor() {
    super();
    this.simulator = this.locale = null;
    this.floating = false;
  }

  get language(): string {
    return this.locale ?? this.closest<HTMLElement>('[lang]')?.lang ?? 'es';
  }

  get words(): PanelWords {
    return panelWords(this.language);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    PayCheckoutSimulatorElement.#connected.add(this);
    document.addEventListener('checkout-redirect', this.#leaving);
    this.#follow();
    if (this.floating) this.#findPlace();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    PayCheckoutSimulatorElement.#connected.delete(this);
    document.removeEventListener('checkout-redirect', this.#leaving);
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('simulator')) this.#follow();
  }

  #follow(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = this.isConnected
      ? this.simulator?.subscribe(() => {
          this.#pages.changed();
          this.requestUpdate();
        })
      : undefined;
  }

  /** Several simulations on one page stack their corners. */
  #findPlace(): void {
    const others = [...PayCheckoutSimulatorElement.#connected].filter((panel) => panel.floating);
    this.style.setProperty('--_place', String(others.indexOf(this)));
  }

  readonly #leaving = (event: Event): void => {
    const widget = event.composedPath()[0] as Widget;
    if (widget.transport !== this.simulator || event.defaultPrevented) return;
    // Another panel of the same simulator may be on the page: the first one plays the page.
    if (this.simulator && PayCheckoutSimulatorElement.panelsOf(this.simulator)[0] !== this) return;
    if (this.#pages.leave((event as Event & { url: string }).url, widget)) event.preventDefault();
  };

  protected override render(): TemplateResult {
    const { simulator, words } = this;
    return html`<details class="panel" ?open=${!this.floating}>
        <summary>${icon('flask')}<span>${words.badge}</span>${CHEVRON}</summary>
        ${simulator ? this.#controls(simulator) : nothing}
      </details>
      ${this.#pages.render()}`;
  }

  #controls(simulator: Simulator): TemplateResult {
    const { words } = this;
    const record = newest(simulator);
    return html`<div class="body">
      ${record ? this.#payment(record) : html`<p class="muted">${words.nothing}</p>`}
      ${record ? this.#actions(simulator, record) : nothing}
      <section aria-labelledby="conditions">
        <h2 id="conditions">${words.conditions}</h2>
        ${toggle(words.offline, words.offlineHint, !simulator.online, (on) => (simulator.online = !on))}
        ${toggle(words.slow, words.slowHint, simulator.sandbox.engine.applies('slow-answers'), (on) =>
          simulator.sandbox.engine.setMishap('slow-answers', on),
        )}
        <div class="buttons">
          ${button(words.skipMinute, () => simulator.skip(MINUTE_MS))}
          ${button(words.skipQuarter, () => simulator.skip(QUARTER_MS))}
        </div>
      </section>
      ${this.#scenarios(simulator)}
    </div>`;
  }

  #payment(record: PayinRecord | LinkRecord): TemplateResult {
    const { words } = this;
    const kind = record.kind === 'link' ? 'LINK' : record.source.rail;
    return html`<div class="now" role="status">
      <p><b>${words.kinds[kind]}</b><b>${this.#sum(record)}</b></p>
      <p class="muted"><span>${words.statuses[record.status]}</span><span>${record.reference}</span></p>
    </div>`;
  }

  /** What was paid, when it is not what was asked. */
  #sum(record: PayinRecord | LinkRecord): string {
    const money = (amountInCents: number) => formatMoney(amountInCents, 'COP', this.language);
    const asked = money(record.amountInCents);
    const paid = record.kind === 'link' ? null : record.confirmedAmountInCents;
    return paid === null || paid === record.amountInCents ? asked : this.words.paidOf(money(paid), asked);
  }

  #actions(simulator: Simulator, record: PayinRecord | LinkRecord): TemplateResult | typeof nothing {
    if (isFinal(record.status)) return nothing;
    const { words } = this;
    return html`<section aria-labelledby="actions">
      <h2 id="actions">${words.actions}</h2>
      <div class="buttons">
        ${record.kind === 'link' ? this.#linkActions(simulator, record) : this.#payinActions(simulator, record)}
      </div>
    </section>`;
  }

  #payinActions(simulator: Simulator, { id, amountInCents }: PayinRecord): TemplateResult {
    const { words } = this;
    const { engine } = simulator.sandbox;
    const decide = (outcome: Outcome) => () => engine.decide(id, outcome);
    const pay = (confirmedAmountInCents: number) => () =>
      engine.settle(id, 'CONFIRMED', { confirmedAmountInCents });
    const { under, over } = wrongAmountsFor(amountInCents);
    const leftMs = expiresInMs(simulator);
    return html`${button(words.confirm, decide('CONFIRMED'), 'positive')}
    ${button(words.decline, decide('DECLINED'), 'negative')} ${button(words.cancel, decide('CANCELED'))}
    ${button(words.underpay, pay(under))} ${button(words.overpay, pay(over))}
    ${leftMs === null ? nothing : button(words.expire, () => simulator.skip(leftMs))}`;
  }

  #linkActions(simulator: Simulator, { id }: LinkRecord): TemplateResult {
    const { words } = this;
    return html`${button(words.openLink, () => this.#pages.open(id, null), 'positive')}
    ${button(words.expire, () => simulator.sandbox.engine.expireLink(id))}`;
  }

  #scenarios(simulator: Simulator): TemplateResult {
    const { words } = this;
    const { scenario } = simulator;
    const choose = (event: Event) => {
      const { value } = event.target as HTMLSelectElement;
      simulator.scenario = value === '' ? null : (value as ScenarioName);
      this.requestUpdate();
    };
    return html`<section>
      <label class="label" for="scenario">${words.scenario}</label>
      <select id="scenario" aria-describedby="scenario-hint" @change=${choose}>
        <option value="" ?selected=${scenario === null}>${words.noScenario}</option>
        ${SCENARIO_NAMES.map(
          (name) => html`<option value=${name} ?selected=${scenario === name}>${name}</option>`,
        )}
      </select>
      <small id="scenario-hint"
        >${scenario === null ? words.noScenarioHint : SCENARIOS[scenario][words.language]}</small
      >
    </section>`;
  }
}

/** The payment that was created last, which the buttons act on. */
function newest({ sandbox: { engine } }: Simulator): PayinRecord | LinkRecord | undefined {
  const [payin] = engine.payins;
  const [link] = engine.links;
  if (!payin || !link) return payin ?? link;
  // A link's payin is made on its page, so never before it.
  return link.createdAtMs > payin.createdAtMs ? link : payin;
}

/** How far the payment on the screen is from its expiry; null when it has none. */
function expiresInMs({ attempt, sandbox }: Simulator): number | null {
  if (!attempt?.expiresAt) return null;
  return Math.max(0, Date.parse(attempt.expiresAt) - sandbox.engine.clock.now()) + 1;
}

function button(label: string, press: () => void, tone = ''): TemplateResult {
  return html`<button type="button" class=${tone} @click=${press}>${label}</button>`;
}

function toggle(label: string, hint: string, on: boolean, turn: (on: boolean) => void): TemplateResult {
  return html`<button
    type="button"
    class="switch"
    role="switch"
    aria-checked=${on ? 'true' : 'false'}
    @click=${() => turn(!on)}
  >
    <span>${label}</span><small>${hint}</small><span class="track"></span>
  </button>`;
}

const CHEVRON = html`<svg class="chevron" viewBox="0 0 24 24" aria-hidden="true">
  <path d="m6 15 6-6 6 6"></path>
</svg>`;

declare global {
  interface HTMLElementTagNameMap {
    'pay-checkout-simulator': PayCheckoutSimulatorElement;
  }
}
