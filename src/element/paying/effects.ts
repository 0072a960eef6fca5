import { currentOf } from '../../machine/current.js';
import type { CheckoutEvent, Effect } from '../../machine/effect.js';
import { restInCents } from '../../machine/paying/attempts.js';
import { attemptsOverHttp } from '../../transport/http/attempts.js';
import type { WatchTarget } from '../../contract/return-id.js';
import { cleanAddress } from '../../transport/page.js';
import type { Transport } from '../../transport/port.js';
import { pageSurroundings } from '../../transport/surroundings.js';
import { type Watcher, createWatcher } from '../../transport/watcher.js';
import { pageAddress } from '../config.js';
import type { Checkout, PayingEffects } from '../host.js';
import { announcementText } from './announcements.js';
import { Ending } from '../opening/common.js';
import { CheckoutFinishedEvent, CheckoutRedirectEvent, payingEvent } from './events.js';
import { safeAddress } from './safe-address.js';
import { showFromTop } from './show-from-top.js';
import { isApproval, sayInTitle } from './tab-title.js';
import { forgetTypedForm } from './typed-form.js';
import { afterFrame } from '../opening/after-frame.js';
import { wordsOf } from './context.js';

/** Whether nothing is left to pay by it. */
function isPaying(event: CheckoutEvent): boolean {
  switch (event.type) {
    case 'payin-confirmed':
      return restInCents(event.payin) === 0;
    case 'paymentlink-completed':
      return restInCents(event.link) === 0;
    default:
      return false;
  }
}

/** Longer timers overflow and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Does what the machine asks for a payment: creates, watches, sends to the bank, remembers. */
export class Effects implements PayingEffects {
  readonly #checkout: Checkout;
  readonly #attempts: Omit<Transport, 'offer'>;
  #watcher: Watcher | undefined;
  #targets: readonly WatchTarget[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(checkout: Checkout) {
    this.#checkout = checkout;
    this.#attempts = checkout.host.transport ?? attemptsOverHttp(checkout.http);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#targets = [];
    this.#watcher?.stop();
  }

  run(effect: Effect): void {
    const { host, state, send } = this.#checkout;
    switch (effect.type) {
      case 'create': {
        const { idempotencyKey, request } = effect;
        return this.#checkout.call(
          async (signal) => {
            const options = { signal, idempotencyKey };
            return request.kind === 'PAYIN'
              ? this.#attempts.createPayin(request.body, options)
              : this.#attempts.createLink(request.body, options);
          },
          (attempt) => ({ type: 'created', idempotencyKey, attempt }),
          (failure) => ({ type: 'create-failed', idempotencyKey, failure }),
        );
      }
      case 'watch':
        this.#targets = effect.targets;
        if (this.#watcher) this.#watch();
        // The payer sees a new code before its watcher is made.
        else if (effect.targets.length > 0) afterFrame(() => this.#watch());
        return;
      case 'check':
        return this.#watching().check(effect.target);
      case 'redirect': {
        const url = safeAddress(effect.url, host.redirectHosts);
        if (url === null) send({ type: 'redirect-refused' });
        else if (host.dispatchEvent(new CheckoutRedirectEvent(url, effect.attempt))) location.assign(url);
        else send({ type: 'redirect-canceled' });
        return;
      }
      case 'schedule':
        return this.#schedule(effect.atMs);
      case 'emit':
        // News of a payment is something to go back to the shop with.
        host.helper(Ending).over = false;
        if (effect.event.type === 'payin-created') afterFrame(() => showFromTop(host.renderRoot));
        if (isPaying(effect.event)) forgetTypedForm();
        if (isApproval(effect.event)) sayInTitle(`✓ ${wordsOf(host.words).confirmedTitle}`);
        return this.#checkout.dispatch(payingEvent(effect.event));
      case 'finish':
        if (host.dispatchEvent(new CheckoutFinishedEvent(effect.attempt))) this.#finish();
        return;
      case 'announce': {
        const text = announcementText(effect.message, state, wordsOf(host.words));
        if (text) host.announce(text);
        return;
      }
      case 'remember':
        return this.#checkout.memory?.remember(effect.hint);
      case 'clean-address':
        cleanAddress(location, history);
        // A payer who comes back from the bank expects to see what became of it, also where the checkout is a dialog.
        if (host.modal && currentOf(state.screen)) host.show();
        return;
      case 'load-offer':
      case 'measure':
        // The opening's.
        return;
      default:
        throw new TypeError(`Unknown effect: ${JSON.stringify(effect satisfies never)}`);
    }
  }

  #watch(): void {
    if (this.#targets.length > 0 || this.#watcher) this.#watching().watch(this.#targets);
  }

  #watching(): Watcher {
    const { send } = this.#checkout;
    this.#watcher ??= createWatcher(
      (target, options) => this.#attempts.read(target, options),
      {
        arrived: (asked, attempt) => send({ type: 'attempt', asked, attempt }),
        missing: (id) => send({ type: 'attempt-missing', id }),
        failed: (id, failures) => send({ type: 'watch-failed', id, failures }),
      },
      pageSurroundings(),
    );
    return this.#watcher;
  }

  /** Timers may fire early: a little by their own clock, and much when the moment is further off than they reach. */
  #schedule(atMs: number | null): void {
    clearTimeout(this.#timer);
    if (atMs === null) return;
    this.#timer = setTimeout(
      () => (Date.now() < atMs ? this.#schedule(atMs) : this.#checkout.send({ type: 'tick' })),
      Math.min(atMs - Date.now(), LONGEST_TIMER_MS),
    );
  }

  #finish(): void {
    const { host } = this.#checkout;
    const { finishUrl, modal } = host;
    if (modal) host.close();
    if (!finishUrl) {
      if (modal) return;
      // The element cannot know whether the page listens. If it does not, a button that does nothing must not stay.
      host.helper(Ending).over = true;
      host.announce(wordsOf(host.words).canClose);
      return;
    }
    const address = pageAddress(finishUrl, location.href);
    if (address) location.assign(address);
    else this.#checkout.report('"finish-url" is not a web address; the payer stays on this page.');
  }
}
