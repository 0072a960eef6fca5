import type { PropertyValues, ReactiveController } from 'lit';
import type { CreateRequest, Effect } from '../machine/effect.js';
import { readHint } from '../machine/hint.js';
import type { Failure, Happening } from '../machine/input.js';
import type { State } from '../machine/state.js';
import { initialState } from '../machine/opening.js';
import { transition } from '../machine/transition.js';
import { createHttpTransport } from '../transport/http-transport.js';
import { createMemory } from '../transport/memory.js';
import { pageSurroundings } from '../transport/page.js';
import { type Transport, TransportError } from '../transport/port.js';
import { cleanAddress, readReturnId } from '../transport/return-address.js';
import { type Watcher, createWatcher } from '../transport/watcher.js';
import { announcementText } from './announcements.js';
import { basicOrder } from './basic-order.js';
import { type ReadConfig, readConfig } from './config.js';
import { CheckoutErrorEvent, CheckoutFinishedEvent, CheckoutRedirectEvent, domEvent } from './events.js';
import { type LazyViews, viewsFor } from './lazy-views.js';
import type { PayCheckoutElement } from './pay-checkout-element.js';

/** Attributes that make another checkout when they change. */
const MAKING = [
  'order',
  'backend',
  'transport',
  'rails',
  'keyType',
  'callbackUrl',
  'hosted',
  'share',
  'headers',
  'credentials',
  'amountInCents',
] as const satisfies (keyof PayCheckoutElement)[];

/** Longer timers overflow and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs the machine for one element: turns attributes and page events into inputs, and effects into calls, timers,
 * DOM events and words. Everything it acquires is released when the element leaves the page.
 */
export class CheckoutController implements ReactiveController {
  state: State = initialState;
  readonly #host: PayCheckoutElement;
  readonly #views: LazyViews;
  readonly #reported = new Set<string>();
  readonly #queue: Happening[] = [];
  #read: ReadConfig | undefined;
  /** Ends with the element's stay on the page; every call and listener is tied to it. */
  #stay: AbortController | undefined;
  #watcher: Watcher | undefined;
  #transport: Transport | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = false;
  #running = false;
  #startedAt = 0;

  constructor(host: PayCheckoutElement, views: LazyViews) {
    this.#host = host;
    this.#views = views;
    host.addController(this);
  }

  hostConnected(): void {
    // Moved within the page: nothing was released yet, so there is nothing to take up again.
    if (this.#stay) return;
    this.#stay = new AbortController();
    const { signal } = this.#stay;
    addEventListener('online', () => this.send({ type: 'online' }), { signal });
    addEventListener('offline', () => this.send({ type: 'offline' }), { signal });
    addEventListener('pageshow', (event) => event.persisted && this.send({ type: 'page-restored' }), {
      signal,
    });
    // The first update, or the one asked for here, starts the checkout.
    this.#read = undefined;
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    queueMicrotask(() => {
      if (this.#host.isConnected || !this.#stay) return;
      this.send({ type: 'stop' });
      this.#stay.abort();
      this.#stay = undefined;
      this.#letGo();
    });
  }

  /** Called before each render. Starts when there is something new to start with. */
  configure(changed: PropertyValues<PayCheckoutElement>): void {
    if (!this.#stay) return;
    if (!this.#read || MAKING.some((name) => changed.has(name))) {
      this.#read = readConfig(this.#host, location.href);
      this.restart();
    }
    if (changed.has('open')) this.#opened();
  }

  /** Starts a closed modal checkout ahead of time. */
  start(): void {
    this.#asked = true;
    if (this.state.screen.phase === 'idle') this.restart();
  }

  restart(): void {
    const read = this.#read;
    if (!read || !this.#stay) return;
    this.#letGo();
    const { config, mistakes, fatal } = read;
    const { modal, open } = this.#host;
    const returned = readReturnId(location);
    // A payer who comes back from the bank expects to see what became of it, also where the checkout is a dialog.
    if (modal && returned && !open) this.#host.open = true;
    const wanted = !modal || this.#host.open || this.#asked;
    if (!wanted || (config.order === null && !returned && !fatal)) {
      this.send({ type: 'stop' });
      return;
    }
    for (const mistake of mistakes) this.#report(mistake);
    if (fatal) {
      this.send({ type: 'misconfigured' });
      return;
    }
    this.#startedAt = performance.now();
    const hint = config.order === null ? null : hintOf(config.order).recall();
    this.send({ type: 'start', config, hint, returned, open: !modal || this.#host.open });
    if (!navigator.onLine) this.send({ type: 'offline' });
  }

  /** Tells the machine. What happens while it works waits its turn, so that effects keep their order. */
  readonly send = (happening: Happening): void => {
    this.#queue.push(happening);
    if (this.#running) return;
    this.#running = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        const [state, effects] = transition(this.state, { ...next, atMs: Date.now() });
        if (state !== this.state) this.#host.requestUpdate();
        this.state = state;
        for (const effect of effects) this.#run(effect);
      }
    } finally {
      this.#running = false;
    }
  };

  #opened(): void {
    if (!this.#host.modal) return;
    if (this.#host.open && this.state.screen.phase === 'idle') this.restart();
    this.send({ type: this.#host.open ? 'opened' : 'closed' });
  }

  #letGo(): void {
    clearTimeout(this.#timer);
    this.#watcher?.stop();
    this.#watcher = undefined;
    this.#transport = undefined;
  }

  #run(effect: Effect): void {
    switch (effect.type) {
      case 'load-offer': {
        const { order, run } = effect;
        this.#call(
          (signal) => this.#backend().offer(order, { signal }),
          (loaded) => ({ type: 'offer-loaded', run, ...loaded }),
          (failure) => ({ type: 'offer-failed', run, failure }),
        );
        return;
      }
      case 'create': {
        const { idempotencyKey, request } = effect;
        this.#call(
          (signal) => this.#create(request, idempotencyKey, signal),
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
      case 'redirect':
        return this.#redirect(effect);
      case 'schedule':
        clearTimeout(this.#timer);
        if (effect.atMs !== null) {
          const delayMs = Math.min(effect.atMs - Date.now(), LONGEST_TIMER_MS);
          this.#timer = setTimeout(() => this.send({ type: 'tick' }), delayMs);
        }
        return;
      case 'emit':
        this.#host.dispatchEvent(domEvent(effect.event));
        return;
      case 'finish':
        return this.#finish(effect);
      case 'announce': {
        const text = announcementText(effect.message, this.state, this.#host.words);
        if (text) this.#host.announce(text);
        return;
      }
      case 'remember':
        if (this.state.config.order !== null) hintOf(this.state.config.order).remember(effect.hint);
        return;
      case 'clean-address':
        cleanAddress(location, history);
        return;
      case 'measure':
        performance.measure(`pay-checkout:${effect.name}`, {
          start: this.#startedAt,
          end: performance.now(),
        });
        return;
      default:
        throw new TypeError(`Unknown effect: ${JSON.stringify(effect satisfies never)}`);
    }
  }

  /** Runs a call and tells how it ended, unless the element has left meanwhile. */
  #call<Value>(
    call: (signal: AbortSignal) => Promise<Value>,
    done: (value: Value) => Happening,
    failed: (failure: Failure) => Happening,
  ): void {
    const signal = this.#stay?.signal;
    if (!signal) return;
    call(signal).then(
      (value) => !signal.aborted && this.send(done(value)),
      (error: unknown) => !signal.aborted && this.send(failed(failureOf(error))),
    );
  }

  /** Everything a payer needs to the end is here before there is a payment. */
  async #create(request: CreateRequest, idempotencyKey: string, signal: AbortSignal) {
    const rail = request.body.rail ?? null;
    await this.#views.ready(viewsFor({ kind: request.kind, rail }));
    const backend = this.#backend();
    return request.kind === 'PAYIN'
      ? backend.createPayin(request.body, { signal, idempotencyKey })
      : backend.createLink(request.body, { signal, idempotencyKey });
  }

  #backend(): Transport {
    const { transport, backend, headers, credentials } = this.#host;
    if (transport) return transport;
    const { config } = this.state;
    this.#transport ??= createHttpTransport({
      backend: backend ?? '',
      order: config.order,
      basic: basicOrder(this.#host, config),
      ...(headers && { headers }),
      ...(credentials && { credentials }),
    });
    return this.#transport;
  }

  #watch(): Watcher {
    const backend = this.#backend();
    this.#watcher ??= createWatcher(
      (target, options) => backend.read(target, options),
      {
        arrived: (asked, attempt) => this.send({ type: 'attempt', asked, attempt }),
        missing: (id) => this.send({ type: 'attempt-missing', id }),
        failed: (id, failures) => this.send({ type: 'watch-failed', id, failures }),
      },
      pageSurroundings(),
    );
    return this.#watcher;
  }

  #redirect({ url, attempt }: Extract<Effect, { type: 'redirect' }>): void {
    const safe = this.#host.safeAddress(url);
    if (safe === null) {
      this.send({ type: 'redirect-refused' });
    } else if (this.#host.dispatchEvent(new CheckoutRedirectEvent(safe, attempt))) {
      location.assign(safe);
    } else this.send({ type: 'redirect-canceled' });
  }

  #finish({ attempt }: Extract<Effect, { type: 'finish' }>): void {
    if (!this.#host.dispatchEvent(new CheckoutFinishedEvent(attempt))) return;
    const { finishUrl, modal } = this.#host;
    if (modal) this.#host.close();
    if (!finishUrl) return;
    const { protocol, href } = new URL(finishUrl, location.href);
    if (protocol === 'https:' || protocol === 'http:') location.assign(href);
  }

  /** Once each: the page's engineer reads it in the console, the page's code gets an event. */
  #report(mistake: string): void {
    if (this.#reported.has(mistake)) return;
    this.#reported.add(mistake);
    console.error(`<${this.#host.localName}> ${mistake}`);
    this.#host.dispatchEvent(new CheckoutErrorEvent('misconfigured', mistake));
  }
}

const hintOf = (order: string) => createMemory(order, readHint, () => sessionStorage);

function failureOf(error: unknown): Failure {
  return error instanceof TransportError
    ? { kind: error.kind, problem: error.problem, retryAfterMs: error.retryAfterMs }
    : // A chunk that could not be fetched, or a page's own transport that threw something else.
      { kind: 'NETWORK', problem: null, retryAfterMs: null };
}
