import { LitElement, type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import type { Attempt, PayinAttempt } from '../contract/backend.js';
import type { OpeningMessages } from '../locales/messages.js';
import { currentOf, offerOf } from '../machine/current.js';
import { methodsOf } from '../machine/methods.js';
import type { Phase } from '../machine/state.js';
import { CheckoutController } from './opening/checkout-controller.js';
import { Announcer } from './opening/announcer.js';
import { Helpers } from './opening/helpers.js';
import { LocaleController } from './opening/locale-controller.js';
import { StableHeight } from './opening/stable-height.js';
import type { PayCheckoutEventMap } from './events.js';
import type { CheckoutHost, ViewContext } from './host.js';
import { type CheckoutProperties, PROPERTIES } from './properties.js';
import { styles } from './opening/styles.js';
import { ModalChunk } from './opening/chunks.js';
import { renderScreen } from './opening/screen.js';

/** What a page has not set. */
const UNSET = Object.fromEntries(
  Object.entries(PROPERTIES).map(([name, how]) => [
    name,
    'type' in how && how.type === Boolean ? false : null,
  ]),
);

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- the constructor sets them all
export interface PayCheckoutElement extends CheckoutProperties {}

/**
 * A checkout for Bre-B and PSE payments. It asks the merchant's own backend to create a payment, shows what to do,
 * watches until the outcome is known and shows the receipt.
 *
 * @tag pay-checkout
 * @summary Takes Bre-B and PSE payments on the merchant's own page.
 *
 * @slot - Shown until the element is defined, for example a link to another way of paying.
 * @slot header - Above the merchant and the amount.
 * @slot logo - The merchant's logo, 40 by 40.
 * @slot footer - Below every screen.
 * @slot success - On the receipt of a confirmed payment.
 * @slot pse-logo - PSE's official logo, beside the method.
 * @slot breb-logo - Bre-B's official logo, beside the method.
 *
 * @event {CheckoutReadyEvent} checkout-ready - The checkout knows what there is to pay, or what became of it.
 * @event {PayinEvent} payin-created - A payin was created.
 * @event {PayinEvent} payin-updated - News of a payin arrived.
 * @event {PayinConfirmedEvent} payin-confirmed - A payin was paid. Once per payin.
 * @event {PayinEndedEvent} payin-declined - A payin was declined. Once per payin.
 * @event {PayinEndedEvent} payin-canceled - A payin was canceled. Once per payin.
 * @event {PayinEndedEvent} payin-lapsed - A payin passed its expiry; it is still watched. Once per payin.
 * @event {PaymentLinkCreatedEvent} paymentlink-created - A payment link was created.
 * @event {PaymentLinkCompletedEvent} paymentlink-completed - A payment link was paid. Once per link.
 * @event {PaymentLinkExpiredEvent} paymentlink-expired - A payment link expired. Once per link.
 * @event {CheckoutRedirectEvent} checkout-redirect - The payer is about to leave for the bank. Cancelable.
 * @event {CheckoutFinishedEvent} checkout-finished - The payer pressed the last button. Cancelable.
 * @event {CheckoutErrorEvent} checkout-error - Something went wrong, and the payer saw it.
 * @event {CheckoutClosedEvent} checkout-closed - A modal checkout was closed.
 *
 * @csspart dialog - The dialog of a modal checkout.
 * @csspart close - The button that closes it.
 * @csspart card - The whole card.
 * @csspart header - Merchant, description and amount.
 * @csspart logo - The merchant's initials, where no logo is given.
 * @csspart merchant - The merchant's name.
 * @csspart description - What is being paid.
 * @csspart amount - The amount.
 * @csspart body - The present screen.
 * @csspart title - The screen's title.
 * @csspart lead - The sentence under the title.
 * @csspart methods - The list of methods.
 * @csspart method - One method.
 * @csspart person-type - Person or company.
 * @csspart field - A label with its field.
 * @csspart input - A field itself.
 * @csspart error - What is wrong with a field.
 * @csspart listbox - The list of banks.
 * @csspart option - One bank of the list.
 * @csspart button - The main button.
 * @csspart button-secondary - Every other button.
 * @csspart notice - A notice, such as being offline.
 * @csspart qr - The QR code.
 * @csspart qr-dialog - The QR code, large.
 * @csspart phone - The way on to the phone.
 * @csspart apps - The apps to pay with, on a phone.
 * @csspart app - One of them.
 * @csspart copy-row - Something to copy.
 * @csspart copy-value - What is copied.
 * @csspart copy-button - The button that copies.
 * @csspart wait - The line that says what is awaited.
 * @csspart receipt - The receipt's table.
 * @csspart payments - The receipt's rows where the order was not simply paid once: every payment, and their sum.
 * @csspart policies - The links to the merchant's data policy and terms.
 * @csspart help - How to reach the merchant.
 *
 * @cssproperty [--pay-accent] - Colour of the main action.
 * @cssproperty [--pay-on-accent] - Text on the accent.
 * @cssproperty [--pay-surface] - Background of the card.
 * @cssproperty [--pay-surface-sunken] - Background of rows and of the waiting line.
 * @cssproperty [--pay-surface-raised] - Background of choices and fields.
 * @cssproperty [--pay-text] - Text.
 * @cssproperty [--pay-text-muted] - Captions.
 * @cssproperty [--pay-border] - Lines.
 * @cssproperty [--pay-border-strong] - Borders of fields.
 * @cssproperty [--pay-positive] - Meaning: it worked.
 * @cssproperty [--pay-positive-tint] - Background behind it.
 * @cssproperty [--pay-caution] - Meaning: look here.
 * @cssproperty [--pay-caution-tint] - Background behind it.
 * @cssproperty [--pay-negative] - Meaning: it did not work.
 * @cssproperty [--pay-negative-tint] - Background behind it.
 * @cssproperty [--pay-focus] - Focus ring.
 * @cssproperty [--pay-radius=14px] - Roundness.
 * @cssproperty [--pay-space=4px] - Density: the unit of all spacing.
 * @cssproperty [--pay-font] - Font family.
 * @cssproperty [--pay-font-mono] - Font family of keys.
 * @cssproperty [--pay-font-size=1rem] - Base text size.
 * @cssproperty [--pay-shadow] - Shadow of the card.
 * @cssproperty [--pay-bottom=0px] - How far the bar with a payment's status keeps from the lower edge, above one of the page's own.
 *
 * @cssstate [phase] - The present phase: choosing, paying, confirmed and so on.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- as above
export class PayCheckoutElement extends LitElement implements CheckoutHost {
  static override readonly styles = styles;

  static override readonly properties = PROPERTIES;

  /** Registers the element; a second registration under the same name is harmless and warns once. */
  static define(tag = 'pay-checkout', registry?: CustomElementRegistry): void {
    // On a server there is no registry, and nothing to register.
    const names: CustomElementRegistry | undefined = registry ?? globalThis.customElements;
    const existing = names?.get(tag);
    if (!existing) names?.define(tag, this);
    else if (existing !== this) {
      // eslint-disable-next-line no-console -- said to the page's engineer
      console.warn(`<${tag}> is already defined; this copy of pay-checkout is not used.`);
    }
  }

  /** @internal */
  declare readonly renderRoot: ShadowRoot;

  readonly #helpers = new Helpers(this);
  readonly #locale = new LocaleController(this);
  readonly #announcer = new Announcer(this);
  readonly #checkout = new CheckoutController(this);
  readonly #internals: ElementInternals | null = this.attachInternals?.() ?? null;
  #shownPhase: Phase | null = null;

  constructor() {
    super();
    Object.assign(this, UNSET);
    this.currency = 'COP';
  }

  /** The payin on the screen, if any. */
  get payin(): PayinAttempt | null {
    const attempt = this.attempt;
    return attempt?.kind === 'PAYIN' ? attempt : null;
  }

  /** The payin or payment link on the screen, if any. */
  get attempt(): Attempt | null {
    return currentOf(this.#checkout.state.screen);
  }

  /** What the checkout is doing: loading, choosing, paying, confirmed and so on. */
  get phase(): Phase {
    return this.#checkout.state.screen.phase;
  }

  /** Opens a modal checkout. */
  show(): void {
    this.open = true;
  }

  /** Closes a modal checkout without asking. An open payment goes on being watched. */
  close(): void {
    this.open = false;
  }

  /** Reads the order now, for a modal checkout that is still closed. */
  start(): void {
    this.#checkout.start();
  }

  /** Asks the backend now, for pages that learn something first. */
  refresh(): void {
    this.#checkout.send({ type: 'check' });
  }

  /** Forgets what the payer chose and typed, and reads the order again. */
  reset(): void {
    this.#forget(this.order);
    this.#checkout.restart();
  }

  /** @internal */
  announce(text: string): void {
    this.#announcer.say(text);
  }

  /** @internal */
  announceScreen(): void {
    this.#announcer.sayScreen();
  }

  /** @internal */
  get words(): OpeningMessages {
    return this.#locale.messages;
  }

  /** @internal */
  get wordsArriving(): boolean {
    return this.#locale.arriving;
  }

  /** @internal */
  get helper(): CheckoutHost['helper'] {
    return this.#helpers.get;
  }

  /**
   * While the offer is being asked for, the first screen is drawn in a task of its own: one for both would block the page.
   * An offer that came with the page is drawn at once.
   */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) this.#checkout.read();
    if (!this.hasUpdated && this.phase === 'loading') await new Promise((resolve) => setTimeout(resolve));
    await super.scheduleUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.hasUpdated && changed.has('order')) this.#forget(changed.get('order'));
    this.#checkout.configure(changed);
  }

  /** What was typed for an order goes with it; the first order of a page has what was typed before a reload. */
  #forget(order: string | null | undefined): void {
    if (order) this.#checkout.paying?.forget();
    this.#helpers.forget();
  }

  protected override updated(): void {
    this.#showPhase(this.phase);
  }

  /** The phase as a state that the page's styles can see: `:state(paying)`. */
  #showPhase(phase: Phase): void {
    const states = this.#internals?.states;
    if (this.#shownPhase === phase || !states) return;
    try {
      if (this.#shownPhase) states.delete(this.#shownPhase);
      this.#shownPhase = phase;
      // Chromium before 125 takes only names that begin with two dashes; there, pages do without.
      states.add(phase);
    } catch {
      return;
    }
  }

  protected override render(): TemplateResult {
    const { state } = this.#checkout;
    const { words } = this;
    const card = renderScreen(state, this.#context(words));
    const spoken = html`<p class="sr" role="status"></p>`;
    const modal = this.modal ? this.helper(ModalChunk) : null;
    if (!modal || modal.failed) {
      const { phase } = state.screen;
      this.helper(StableHeight).show(phase);
      return html`${card === nothing ? card : html`<div class="stable">${card}</div>`}${spoken}${
        phase === 'idle' ? html`<slot></slot>` : nothing
      }`;
    }
    if (!modal.module) return spoken;
    const { merchant } = currentOf(state.screen) ?? offerOf(state.screen) ?? {};
    return this.helper(modal.module.Modal).render(html`${card}${spoken}`, {
      open: this.open,
      label: merchant ? words.checkoutLabel(merchant.name) : words.total,
      messages: words,
      asks: () => this.#checkout.paying?.asksToLeave(this.#checkout.state) ?? false,
      close: () => this.close(),
    });
  }

  #context(messages: OpeningMessages): ViewContext {
    const { config, screen } = this.#checkout.state;
    const offer = offerOf(screen);
    return {
      messages,
      paying: this.#checkout.paying,
      waits: this.#checkout.waits,
      send: this.#checkout.send,
      newKey: newIdempotencyKey,
      clockOffsetMs: this.#checkout.state.clockOffsetMs,
      others: !offer || Boolean(methodsOf(offer, config)?.[1]),
      redirectHosts: this.redirectHosts,
      qrStyle: this.qrStyle,
      prefill: { bank: this.bank, customer: this.customer ?? {}, mayRemember: !this.noRemember },
      helper: this.helper,
      announce: (text) => this.announce(text),
      redraw: () => this.requestUpdate(),
      prepare: () => this.#checkout.prepare(),
    };
  }
}

/** 128 random bits. `crypto.randomUUID` is missing on pages without HTTPS. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-checkout': PayCheckoutElement;
  }
  // Events bubble and are composed, so a listener on any ancestor gets the typed event too.
  /* eslint-disable @typescript-eslint/no-empty-object-type -- the maps are merged, not extended */
  interface HTMLElementEventMap extends PayCheckoutEventMap {}
  interface DocumentEventMap extends PayCheckoutEventMap {}
  interface WindowEventMap extends PayCheckoutEventMap {}
  /* eslint-enable @typescript-eslint/no-empty-object-type */
}
