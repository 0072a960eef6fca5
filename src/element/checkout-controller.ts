import type { PropertyValues, ReactiveController } from 'lit';
import type { Effect } from '../machine/effect.js';
import type { Failure, Happening, Hint } from '../machine/input.js';
import { begin, initialState } from '../machine/state.js';
import type { State } from '../machine/state.js';
import { type HttpTransportOptions, createHttpTransport } from '../transport/http-transport.js';
import { type Memory, createMemory } from '../transport/memory.js';
import { type Transport, TransportError } from '../transport/port.js';
import { readReturnId } from '../transport/return-address.js';
import type { AttemptEffects } from './effects.js';
import { type Mistake, type ReadConfig, readConfig } from './config.js';
import { CheckoutErrorEvent, openingEvent } from './events.js';
import { readHint } from './hint.js';
import type { LazyViews } from './lazy-views.js';
import type { PayCheckoutElement } from './pay-checkout-element.js';

/**
 * Runs the machine for one element: turns attributes and page events into inputs, and effects into calls, DOM events
 * and words. What concerns attempts is done by `AttemptEffects`, which arrives while the payer reads the first screen.
 * Everything acquired is released when the element leaves the page.
 */
export class CheckoutController implements ReactiveController {
  state: State = initialState;
  readonly views: LazyViews;
  /** What this tab remembers of the order. */
  memory: Memory<Hint> | null = null;
  readonly #host: PayCheckoutElement;
  readonly #reported = new Set<string>();
  readonly #queue: Happening[] = [];
  #read: ReadConfig | undefined;
  /** Ends with the element's stay on the page; every call and listener is tied to it. */
  #stay: AbortController | undefined;
  #rest: AttemptEffects | undefined;
  #transport: Transport | undefined;
  #asked = false;
  #running = false;
  #startedAt = 0;

  constructor(host: PayCheckoutElement, views: LazyViews) {
    this.#host = host;
    this.views = views;
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
    this.#host.requestUpdate();
  }

  hostUpdated(): void {
    // The chunk that an input waits for has arrived.
    if (this.#queue.length > 0 && this.views.get('attempts')) queueMicrotask(() => this.#work());
  }

  hostDisconnected(): void {
    queueMicrotask(() => {
      if (this.#host.isConnected || !this.#stay) return;
      this.#queue.length = 0;
      this.send({ type: 'stop' });
      this.#stay.abort();
      this.#stay = undefined;
      this.#read = undefined;
      this.#letGo();
    });
  }

  /** Something the payer did waits for code that is still on its way. */
  get waiting(): boolean {
    return this.#queue.length > 0;
  }

  get backend(): Transport {
    const { transport } = this.#host;
    if (transport) return transport;
    this.#transport ??= createHttpTransport(this.#httpOptions());
    return this.#transport;
  }

  /** Called before each render. Starts when there is something new to start with. */
  configure(changed: PropertyValues<PayCheckoutElement>): void {
    if (!this.#stay) return;
    const before = this.#read;
    if (!before || changed.size > 0) {
      const read = (this.#read = readConfig(this.#host, location.href));
      // Frameworks set equal values again and again: only another value makes another checkout.
      if (read.key !== before?.key || changed.has('transport')) this.restart();
    }
    if (changed.has('open') && this.#host.modal) {
      if (this.#host.open && this.state.screen.phase === 'idle') this.restart();
      this.send({ type: this.#host.open ? 'opened' : 'closed' });
    }
  }

  /** Starts a closed modal checkout ahead of time. */
  start(): void {
    this.#asked = true;
    if (this.state.screen.phase === 'idle') this.restart();
  }

  restart(): void {
    if (!this.#read || !this.#stay) return;
    this.#letGo();
    this.#queue.length = 0;
    const { config, mistakes, fatal } = this.#read;
    const { order } = config;
    let returned = readReturnId(location);
    this.memory = order === null ? null : createMemory(order, readHint, () => sessionStorage);
    const hint = this.memory?.recall() ?? null;
    // This tab made the attempt that the address names, so this is the checkout the payer comes back to, or another one.
    if (returned && (hint?.attempt?.id === returned.id || hint?.idempotencyKey === returned.id)) {
      this.#host.open = this.#host.modal;
    } else if (returned && this.memory?.isAnothers(returned.id)) returned = null;
    const open = !this.#host.modal || this.#host.open;
    if ((!open && !this.#asked && !returned) || (order === null && !returned && !fatal)) {
      this.send({ type: 'stop' });
      return;
    }
    for (const mistake of mistakes) void this.report(mistake);
    if (fatal) {
      this.send({ type: 'misconfigured' });
      return;
    }
    this.#startedAt = performance.now();
    this.send({ type: 'start', config, hint, returned, open });
    if (!navigator.onLine) this.send({ type: 'offline' });
  }

  /** Tells the machine. What happens while it works waits its turn, so that effects keep their order. */
  readonly send = (happening: Happening): void => {
    this.#queue.push(happening);
    this.#work();
  };

  /** Runs a call and tells how it ended, unless the element has left meanwhile. */
  call<Value>(
    call: (backend: Transport, signal: AbortSignal) => Promise<Value>,
    done: (value: Value) => Happening,
    failed: (failure: Failure) => Happening,
  ): void {
    const signal = this.#stay?.signal;
    if (!signal) return;
    call(this.backend, signal).then(
      (value) => !signal.aborted && this.send(done(value)),
      (error: unknown) => !signal.aborted && this.send(failed(failureOf(error))),
    );
  }

  /** Once each: the page's engineer reads it in the console, the page's code gets an event. */
  async report(mistake: Mistake): Promise<void> {
    const host = this.#host;
    const text = await import('./mistakes.js').then(
      ({ explain }) => explain(mistake, host),
      () => `"${mistake}" is missing or wrong.`,
    );
    if (this.#reported.has(text)) return;
    this.#reported.add(text);
    // eslint-disable-next-line no-console -- said to the page's engineer
    console.error(`<${host.localName}> ${text}`);
    host.dispatchEvent(
      new CheckoutErrorEvent({ type: 'checkout-error', reason: 'misconfigured', message: text }),
    );
  }

  #work(): void {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let next = this.#queue[0]; next; next = this.#queue[0]) {
        const input = { ...next, atMs: Date.now() };
        const turn = this.#rest?.transition(this.state, input) ?? begin(this.state, input);
        if (!turn && !this.#loadRest()) return;
        if (!turn) continue;
        this.#queue.shift();
        const [state, effects] = turn;
        if (state !== this.state) this.#host.requestUpdate();
        this.state = state;
        for (const effect of effects) this.#run(effect);
      }
    } finally {
      this.#running = false;
    }
  }

  /** False while the chunk is on its way: the element updates when it is there. */
  #loadRest(): boolean {
    const chunk = this.views.get('attempts');
    if (chunk) this.#rest = new chunk.AttemptEffects(this.#host, this);
    else this.#host.requestUpdate();
    return chunk !== undefined;
  }

  #run(effect: Effect): void {
    const host = this.#host;
    switch (effect.type) {
      case 'load-offer': {
        const { order, run } = effect;
        this.call(
          (backend, signal) => backend.offer(order, { signal }),
          (loaded) => ({ type: 'offer-loaded', run, ...loaded }),
          (failure) => ({ type: 'offer-failed', run, failure }),
        );
        return;
      }
      case 'measure': {
        const start = this.#startedAt;
        performance.measure(`pay-checkout:${effect.name}`, { start, end: performance.now() });
        return;
      }
      case 'emit': {
        const event = openingEvent(effect.event);
        if (!event) break;
        host.dispatchEvent(event);
        return;
      }
      case 'announce':
        if (effect.message === this.state.screen.phase) host.announceScreen();
        else if (effect.message === 'offline') host.announce(host.words.offline);
        else break;
        return;
      default:
    }
    this.#rest?.run(effect);
  }

  #letGo(): void {
    this.#rest?.stop();
    this.#transport = undefined;
  }

  #httpOptions(): HttpTransportOptions {
    const host = this.#host;
    return {
      backend: host.backend ?? '',
      order: host.order,
      basic: async () => (await import('./basic-order.js')).basicOrder(host, this.state.config),
      // Read at each call: a token that the page renews makes no new checkout.
      get headers() {
        return host.headers ?? {};
      },
      get credentials() {
        return host.credentials ?? 'same-origin';
      },
    };
  }
}

function failureOf(error: unknown): Failure {
  return error instanceof TransportError
    ? { kind: error.kind, problem: error.problem, retryAfterMs: error.retryAfterMs }
    : // A chunk that could not be fetched, or a page's own transport that threw something else.
      { kind: 'NETWORK', problem: null, retryAfterMs: null };
}
