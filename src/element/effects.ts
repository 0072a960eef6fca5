import { currentOf } from '../machine/attempts.js';
import type { CreateRequest, Effect } from '../machine/effect.js';
import type { Failure, Hint, Input } from '../machine/input.js';
import type { State } from '../machine/state.js';
import { createHttpTransport } from '../transport/http-transport.js';
import type { Memory } from '../transport/memory.js';
import { cleanAddress, pageSurroundings } from '../transport/page.js';
import { type Transport, TransportError } from '../transport/port.js';
import { type Watcher, createWatcher } from '../transport/watcher.js';
import { announcementText } from './announcements.js';
import { basicOrder, basicPage } from './basic-order.js';
import { pageAddress } from './config.js';
import { Ending } from './controllers/ending.js';
import { CheckoutErrorEvent, CheckoutFinishedEvent, CheckoutRedirectEvent, domEvent } from './events.js';
import type { CheckoutHost } from './host.js';
import { safeAddress } from './safe-address.js';
import { PaymentPart } from './views/payment-part.js';

/** Longer timers overflow and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What the effects need of the controller that asks for them. */
interface Checkout {
  readonly state: State;
  /** Ends with the element's stay on the page; undefined while it is not on one. */
  readonly signal: AbortSignal | undefined;
  /** What this tab remembers of the order. */
  readonly memory: Memory<Hint> | null;
  readonly send: (input: Input) => void;
}

/** Does what the machine asks: calls to the backend, timers, DOM events, announcements. */
export class Effects {
  readonly #host: CheckoutHost;
  readonly #checkout: Checkout;
  readonly #reported = new Set<string>();
  #transport: Transport | undefined;
  #watcher: Watcher | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = 0;

  constructor(host: CheckoutHost, checkout: Checkout) {
    this.#host = host;
    this.#checkout = checkout;
  }

  /** A checkout begins. What the one before it watches and awaits is let go. */
  start(): void {
    this.stop();
    this.#startedAt = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#watcher?.stop();
    this.#watcher = undefined;
    this.#transport = undefined;
  }

  run(effect: Effect): void {
    const host = this.#host;
    const { state, send } = this.#checkout;
    switch (effect.type) {
      case 'load-offer': {
        const { order, run } = effect;
        this.#call(
          (backend, signal) => backend.offer(order, { signal }),
          (loaded) => ({ type: 'offer-loaded', run, ...loaded }),
          (failure) => ({ type: 'offer-failed', run, failure }),
        );
        return;
      }
      case 'create': {
        const { idempotencyKey, request } = effect;
        this.#call(
          (backend, signal) => this.#create(backend, request, { signal, idempotencyKey }),
          (attempt) => ({ type: 'created', idempotencyKey, attempt }),
          (failure) => ({ type: 'create-failed', idempotencyKey, failure }),
        );
        return;
      }
      case 'watch':
        // Nothing to watch makes no watcher.
        if (effect.targets.length > 0 || this.#watcher) this.#watch().watch(effect.targets);
        return;
      case 'check':
        this.#watch().check(effect.target);
        return;
      case 'redirect': {
        const url = safeAddress(effect.url, host.redirectHosts);
        if (url === null) send({ type: 'redirect-refused' });
        else if (host.dispatchEvent(new CheckoutRedirectEvent(url, effect.attempt))) location.assign(url);
        else send({ type: 'redirect-canceled' });
        return;
      }
      case 'schedule':
        this.#schedule(effect.atMs);
        return;
      case 'emit':
        this.dispatch(domEvent(effect.event));
        return;
      case 'finish':
        if (host.dispatchEvent(new CheckoutFinishedEvent(effect.attempt))) this.#finish();
        return;
      case 'announce': {
        if (effect.message === state.screen.phase) return host.announceScreen();
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
      case 'measure': {
        const start = this.#startedAt;
        performance.measure(`pay-checkout:${effect.name}`, { start, end: performance.now() });
        return;
      }
      default:
        throw new TypeError(`Unknown effect: ${JSON.stringify(effect satisfies never)}`);
    }
  }

  /** A mistake that the payer does not see, once. */
  report(mistake: string): void {
    if (!this.#reported.has(mistake)) this.dispatch(new CheckoutErrorEvent('misconfigured', mistake));
  }

  /** The page's code gets every event; its engineer reads the same error once in the console. */
  dispatch(event: Event): void {
    if (event instanceof CheckoutErrorEvent && !this.#reported.has(event.message)) {
      this.#reported.add(event.message);
      // eslint-disable-next-line no-console -- said to the page's engineer
      console.error(`<${this.#host.localName}> ${event.message} (${event.reason}: docs/problems.md)`);
    }
    this.#host.dispatchEvent(event);
  }

  /** Runs a call and sends how it ended, unless the element has left meanwhile. */
  #call<Value>(
    call: (backend: Transport, signal: AbortSignal) => Promise<Value>,
    done: (value: Value) => Input,
    failed: (failure: Failure) => Input,
  ): void {
    const { signal, send } = this.#checkout;
    if (!signal) return;
    call(this.#backend(), signal).then(
      (value) => !signal.aborted && send(done(value)),
      (error: unknown) => !signal.aborted && send(failed(failureOf(error))),
    );
  }

  /** Everything a payer needs to the end is here before there is a payment. */
  async #create(
    backend: Transport,
    request: CreateRequest,
    options: { signal: AbortSignal; idempotencyKey: string },
  ) {
    await this.#host
      .keep(PaymentPart)
      .load()
      .catch(() => {
        throw new MissingPartError();
      });
    options.signal.throwIfAborted();
    return request.kind === 'PAYIN'
      ? backend.createPayin(request.body, options)
      : backend.createLink(request.body, options);
  }

  #backend(): Transport {
    const host = this.#host;
    if (host.transport) return host.transport;
    this.#transport ??= createHttpTransport({
      backend: host.backend ?? '',
      level: host.level,
      basic: () => basicOrder(host, this.#checkout.state.config, (mistake) => this.report(mistake)),
      page: () => basicPage(host),
      // Read at each call: a token that the page renews makes no new checkout.
      get headers() {
        return host.headers ?? {};
      },
      get credentials() {
        return host.credentials ?? 'same-origin';
      },
    });
    return this.#transport;
  }

  #watch(): Watcher {
    const { send } = this.#checkout;
    this.#watcher ??= createWatcher(
      (target, options) => this.#backend().read(target, options),
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
    const { finishUrl, modal, words } = this.#host;
    if (modal) this.#host.close();
    if (!finishUrl) {
      if (modal) return;
      // Nobody can see whether a page listens. One that does goes on; on another the button must not stay, dead.
      this.#host.keep(Ending).over = true;
      this.#host.announce(words.canClose);
      return;
    }
    const address = pageAddress(finishUrl, location.href);
    if (address) location.assign(address);
    else this.report('"finish-url" is not a web address; the payer stays on this page.');
  }
}

/** What the payer needs next could not be fetched, so nothing was asked of the backend. */
class MissingPartError extends Error {}

function failureOf(error: unknown): Failure {
  if (error instanceof TransportError) {
    const { kind, problem, retryAfterMs, message } = error;
    return { kind, problem, retryAfterMs, detail: message };
  }
  // Anything else was thrown by a page's own transport.
  const kind = error instanceof MissingPartError ? 'PART' : 'NETWORK';
  const detail = kind === 'NETWORK' && error instanceof Error ? { detail: error.message } : {};
  return { kind, problem: null, retryAfterMs: null, ...detail };
}
