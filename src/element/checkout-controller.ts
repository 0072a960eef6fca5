import type { PropertyValues, ReactiveController } from 'lit';
import type { Hint, Input } from '../machine/input.js';
import { type Phase, type State, initialState } from '../machine/state.js';
import { transition } from '../machine/transition.js';
import { type Memory, createMemory } from '../transport/memory.js';
import { readReturnId } from '../transport/page.js';
import { type ReadConfig, readConfig } from './config.js';
import { Effects } from './effects.js';
import { embeddedOffer } from './embedded-offer.js';
import { domEvent } from './events.js';
import { readHint } from './hint.js';
import type { CheckoutHost, CheckoutProperties } from './host.js';
import { PaymentPart } from './views/payment-part.js';

/** The screens that `PaymentPart` draws. */
const DRAWN_BY_PART: ReadonlySet<Phase> = new Set<Phase>([
  'details',
  'paying',
  'redirecting',
  'verifying',
  'pending',
  'link',
]);

/**
 * Runs the machine for one element: attributes, page events and clicks become inputs, and what the machine asks is
 * given to the effects. Everything acquired is released when the element leaves the page.
 */
export class CheckoutController implements ReactiveController {
  state: State = initialState;
  memory: Memory<Hint> | null = null;
  readonly #host: CheckoutHost;
  readonly #effects: Effects;
  readonly #queue: Input[] = [];
  #read: ReadConfig | undefined;
  #stay: AbortController | undefined;
  #asked = false;
  #begun = false;
  #running = false;

  constructor(host: CheckoutHost) {
    this.#host = host;
    this.#effects = new Effects(host, this);
    host.addController(this);
  }

  get signal(): AbortSignal | undefined {
    return this.#stay?.signal;
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

  hostDisconnected(): void {
    queueMicrotask(() => {
      if (this.#host.isConnected || !this.#stay) return;
      this.send({ type: 'stop' });
      this.#stay.abort();
      this.#stay = undefined;
      this.#read = undefined;
      this.#effects.stop();
    });
  }

  /** Called before each render. Starts when there is something new to start with. */
  configure(changed: PropertyValues<CheckoutProperties>): void {
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
    this.#effects.start();
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
      return this.send({ type: 'stop' });
    }
    if (fatal) return this.send({ type: 'misconfigured', detail: mistakes.join(' ') });
    for (const mistake of mistakes) this.#effects.report(mistake);
    this.send({ type: 'start', config, hint, returned, open });
    if (!this.#begun && !hint?.attempt) this.#showEmbedded();
    this.#begun = true;
    if (!navigator.onLine) this.send({ type: 'offline' });
  }

  /** The page's own offer belongs to the order it came with: it answers the first read, until the backend does. */
  #showEmbedded(): void {
    const { screen, run } = this.state;
    const offer = screen.phase === 'loading' ? embeddedOffer(this.#host) : null;
    if (offer) this.send({ type: 'offer-loaded', run, offer, level: 'FULL' });
  }

  /** Gives the machine an input. One that comes while it works waits its turn, so that effects keep their order. */
  readonly send = (input: Input): void => {
    this.#queue.push(input);
    if (this.#running) return;
    this.#running = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#take(next);
    } finally {
      this.#running = false;
    }
  };

  #take(input: Input): void {
    const before = this.state;
    const [state, effects] = transition(before, { ...input, atMs: Date.now() });
    this.state = state;
    if (state !== before) this.#host.requestUpdate();
    for (const effect of effects) this.#effects.run(effect);
    if (input.type === 'online' || state.screen.phase !== before.screen.phase) this.#prepare();
  }

  /**
   * Fetches what paying needs while the payer reads the first screen: the backend has just answered, so the network
   * works. What failed is tried again when a screen changes or the network comes back, and never in a loop.
   */
  #prepare(): void {
    const { screen, hint } = this.state;
    switch (screen.phase) {
      case 'idle':
      case 'failed':
      case 'confirmed':
      case 'amount-differs':
      case 'duplicate':
        return;
      case 'loading':
        // Nobody has an attempt to show yet, unless this tab remembers one.
        if (!hint?.attempt && !screen.replacing) return;
        break;
      case 'choosing':
        // Not asked for in vain: a browser may remember that it failed.
        if (!navigator.onLine) return;
        break;
      default:
    }
    this.#host
      .keep(PaymentPart)
      .load()
      .catch(() => {
        // Where the next click would need it the payer sees nothing of this yet.
        if (DRAWN_BY_PART.has(this.state.screen.phase)) {
          this.#effects.dispatch(domEvent({ type: 'checkout-error', reason: 'part_missing' }));
        }
      });
  }
}
