import type { Effect } from '../../machine/effect.js';
import type { Failure, Hint, Input } from '../../machine/input.js';
import type { State } from '../../machine/state.js';
import type { BasicLevel } from '../../transport/http/basic.js';
import { type OfferOptions, offerOverHttp } from '../../transport/http/offer.js';
import type { Memory } from '../../transport/memory.js';
import { type Transport, TransportError } from '../../transport/port.js';
import type { Checkout, CheckoutHost, Paying, PayingEffects } from '../host.js';
import { afterFrame } from './after-frame.js';
import { CheckoutErrorEvent, openingEvent } from './events.js';
import { ChunkError } from './chunk.js';
import { BasicChunk, PayingChunk } from './chunks.js';

/** What the effects need of the controller that asks for them. */
interface Controller {
  readonly state: State;
  /** Ends with the element's stay on the page; undefined while it is not on one. */
  readonly signal: AbortSignal | undefined;
  readonly memory: Memory<Hint> | null;
  readonly paying: Paying | null;
  readonly send: (input: Input) => void;
}

/** Does what the machine asks until there is a payment: reads the offer, tells the page, speaks. The rest is paying's. */
export class Effects implements Checkout {
  readonly host: CheckoutHost;
  readonly #controller: Controller;
  readonly #reported = new Set<string>();
  #paying: PayingEffects | undefined;
  #startedAt = 0;

  constructor(host: CheckoutHost, controller: Controller) {
    this.host = host;
    this.#controller = controller;
  }

  get state(): State {
    return this.#controller.state;
  }

  get memory(): Memory<Hint> | null {
    return this.#controller.memory;
  }

  get send(): (input: Input) => void {
    return this.#controller.send;
  }

  /** A checkout begins. What the one before it watches and awaits is let go. */
  start(): void {
    this.stop();
    this.#startedAt = performance.now();
  }

  stop(): void {
    this.#paying?.stop();
    this.#paying = undefined;
  }

  run(effect: Effect): void {
    const { host, state } = this;
    switch (effect.type) {
      case 'load-offer': {
        const { order, run } = effect;
        const ask = () =>
          this.call(
            (signal) => this.#offer(order, { signal }),
            (loaded) => ({ type: 'offer-loaded', run, ...loaded }),
            (failure) => ({ type: 'offer-failed', run, failure }),
          );
        // Methods that are there already, such as those that the page brought, are drawn before the backend is asked.
        return queueMicrotask(() => (this.state.screen.phase === 'choosing' ? afterFrame(ask) : ask()));
      }
      case 'emit': {
        const event = openingEvent(effect.event);
        if (event) return this.dispatch(event);
        break;
      }
      case 'announce':
        if (effect.message === state.screen.phase) return host.announceScreen();
        if (effect.message === 'offline') return host.announce(host.words.offline);
        break;
      case 'measure': {
        const start = this.#startedAt;
        performance.measure(`pay-checkout:${effect.name}`, { start, end: performance.now() });
        return;
      }
      default:
    }
    this.#paying ??= this.#controller.paying?.effects(this);
    this.#paying?.run(effect);
  }

  report(mistake: string): void {
    if (!this.#reported.has(mistake)) this.dispatch(new CheckoutErrorEvent('misconfigured', mistake));
  }

  /** The page's code gets every event; its engineer reads the same error once in the console. */
  dispatch(event: Event): void {
    if (event instanceof CheckoutErrorEvent && !this.#reported.has(event.message)) {
      this.#reported.add(event.message);
      // eslint-disable-next-line no-console -- said to the page's engineer
      console.error(`<${this.host.localName}> ${event.message} (${event.reason}: docs/problems.md)`);
    }
    this.host.dispatchEvent(event);
  }

  call<Value>(
    call: (signal: AbortSignal) => Promise<Value>,
    done: (value: Value) => Input,
    failed: (failure: Failure) => Input,
  ): void {
    const { signal, send } = this.#controller;
    if (!signal) return;
    call(signal).then(
      (value) => !signal.aborted && send(done(value)),
      (error: unknown) => !signal.aborted && send(failed(failureOf(error))),
    );
  }

  /** A page's own transport may throw before it makes a promise. */
  async #offer(...asked: Parameters<Transport['offer']>): ReturnType<Transport['offer']> {
    const { host } = this;
    if (host.transport) return host.transport.offer(...asked);
    const withAttempt = async () => (await host.helper(PayingChunk).load()).paying.OfferSchema;
    return offerOverHttp(this.http, withAttempt)(...asked);
  }

  get http(): OfferOptions {
    const { host } = this;
    return {
      backend: host.backend ?? '',
      level: host.level,
      basic: {
        offer: async (nowMs) => (await this.#basic()).offer(nowMs),
        complete: async (payin, nowMs) => (await this.#basic()).complete(payin, nowMs),
      },
      // Read at each call: a token that the page renews makes no new checkout.
      get headers() {
        return host.headers ?? {};
      },
      get credentials() {
        return host.credentials ?? 'same-origin';
      },
    };
  }

  async #basic(): Promise<BasicLevel> {
    const { basicLevelOf } = await this.host.helper(BasicChunk).load();
    return basicLevelOf(
      this.host,
      () => this.state.config,
      (mistake) => this.report(mistake),
    );
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof TransportError) {
    const { kind, problem, retryAfterMs, message } = error;
    return { kind, problem, retryAfterMs, detail: message };
  }
  // Anything but a missing chunk was thrown by a page's own transport.
  const kind = error instanceof ChunkError ? 'PART_MISSING' : 'NETWORK';
  const detail = error instanceof Error ? { detail: error.message } : {};
  return { kind, problem: null, retryAfterMs: null, ...detail };
}
