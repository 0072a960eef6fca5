import { currentOf } from '../machine/attempts.js';
import type { CreateRequest, Effect } from '../machine/effect.js';
import { transition } from '../machine/transition.js';
import { pageSurroundings } from '../transport/page.js';
import type { Transport } from '../transport/port.js';
import { cleanAddress } from '../transport/return-address.js';
import { type Watcher, createWatcher } from '../transport/watcher.js';
import { announcementText } from './announcements.js';
import { CheckoutFinishedEvent, CheckoutRedirectEvent, attemptEvent } from './attempt-events.js';
import { webAddress } from './config.js';
import type { CheckoutController } from './checkout-controller.js';
import { viewsFor } from './views-for.js';
import type { PayCheckoutElement } from './pay-checkout-element.js';

/** What the machine asks that concerns an attempt, or the payer's way out. */
type AttemptEffect = Exclude<Effect, { readonly type: 'load-offer' | 'measure' }>;

/** Longer timers overflow and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A checkout once the payer has chosen, in a chunk of its own: the whole machine, and the hands for what it asks
 * about attempts.
 */
export class AttemptEffects {
  readonly transition = transition;
  readonly #host: PayCheckoutElement;
  readonly #checkout: CheckoutController;
  #watcher: Watcher | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: PayCheckoutElement, checkout: CheckoutController) {
    this.#host = host;
    this.#checkout = checkout;
  }

  run(effect: AttemptEffect): void {
    const host = this.#host;
    const { state, send, views } = this.#checkout;
    switch (effect.type) {
      case 'create': {
        const { idempotencyKey, request } = effect;
        this.#checkout.call(
          (backend, signal) => this.#create(backend, request, idempotencyKey, signal),
          (attempt) => ({ type: 'created', idempotencyKey, attempt }),
          (failure) => ({ type: 'create-failed', idempotencyKey, failure }),
        );
        return;
      }
      case 'watch':
        this.#watch().watch(effect.targets);
        return;
      case 'check':
        this.#watch().check(effect.target);
        return;
      case 'redirect': {
        // The screen that leads to a bank has arrived with it.
        const url = views.get('pse')?.safeAddress(effect.url, host.redirectHosts) ?? null;
        if (url === null) send({ type: 'redirect-refused' });
        else if (
          host.dispatchEvent(new CheckoutRedirectEvent({ ...effect, type: 'checkout-redirect', url }, true))
        )
          location.assign(url);
        else send({ type: 'redirect-canceled' });
        return;
      }
      case 'schedule':
        this.#await(effect.atMs);
        return;
      case 'emit':
        host.dispatchEvent(attemptEvent(effect.event));
        return;
      case 'finish':
        if (host.dispatchEvent(new CheckoutFinishedEvent({ ...effect, type: 'checkout-finished' }, true)))
          this.#finish();
        return;
      case 'announce': {
        const text = announcementText(effect.message, state, host.words);
        if (text) host.announce(text);
        return;
      }
      case 'remember':
        this.#checkout.memory?.remember(effect.hint);
        return;
      case 'clean-address':
        cleanAddress(location, history);
        // A payer who comes back from the bank expects to see what became of it, also where the checkout is a dialog.
        if (host.modal && currentOf(state.screen)) host.show();
        return;
      default:
        effect satisfies never;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#watcher?.stop();
    this.#watcher = undefined;
  }

  /** Timers may fire early: a little by their own clock, and much when the moment is further off than they reach. */
  #await(atMs: number | null): void {
    clearTimeout(this.#timer);
    if (atMs === null) return;
    const { send } = this.#checkout;
    this.#timer = setTimeout(
      () => (Date.now() < atMs ? this.#await(atMs) : send({ type: 'tick' })),
      Math.min(atMs - Date.now(), LONGEST_TIMER_MS),
    );
  }

  /** Everything a payer needs to the end is here before there is a payment. */
  async #create(backend: Transport, request: CreateRequest, idempotencyKey: string, signal: AbortSignal) {
    const rail = request.body.rail ?? null;
    await this.#checkout.views.ready(viewsFor({ kind: request.kind, rail }));
    return request.kind === 'PAYIN'
      ? backend.createPayin(request.body, { signal, idempotencyKey })
      : backend.createLink(request.body, { signal, idempotencyKey });
  }

  #watch(): Watcher {
    const { backend, send } = this.#checkout;
    this.#watcher ??= createWatcher(
      (target, options) => backend.read(target, options),
      {
        arrived: (asked, attempt) => send({ type: 'attempt', asked, attempt }),
        missing: (id) => send({ type: 'attempt-missing', id }),
        failed: (id, failures) => send({ type: 'watch-failed', id, failures }),
      },
      pageSurroundings(),
    );
    return this.#watcher;
  }

  #finish(): void {
    const { finishUrl, modal } = this.#host;
    if (modal) this.#host.close();
    if (!finishUrl) return;
    const address = webAddress(finishUrl, location.href);
    if (address) location.assign(address);
    else void this.#checkout.report('finish-url');
  }
}
