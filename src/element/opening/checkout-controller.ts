import type { PropertyValues, ReactiveController } from 'lit';
import { returnIdIn } from '../../contract/return-id.js';
import type { Hint, Input } from '../../machine/input.js';
import { opening } from '../../machine/opening/opening.js';
import { type State, initialState } from '../../machine/state.js';
import { type Memory, createMemory } from '../../transport/memory.js';
import { type ReadConfig, readConfig } from '../config.js';
import { afterFrame } from './after-frame.js';
import { Ticked } from './choose.js';
import { Effects } from './effects.js';
import { embeddedOffer } from './embedded-offer.js';
import { readHint } from './hint.js';
import type { CheckoutHost, ChunkType, Paying } from '../host.js';
import type { CheckoutProperties } from '../properties.js';
import { PayingChunk } from './chunks.js';

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
  /** Inputs that came before the chunks of the screens they lead to. */
  #waiting: Input[] = [];
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

  /** The second act, once it is here. */
  get paying(): Paying | null {
    return this.#host.helper(PayingChunk).module?.paying ?? null;
  }

  /** Whether the payer has chosen and nothing is seen of it yet. */
  get waits(): boolean {
    return this.#waiting.some(({ type }) => type === 'choose');
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

  /** Reads what the page wrote, and starts when it asks for another checkout than before. */
  read(): void {
    if (!this.#stay) return;
    const before = this.#read;
    const read = (this.#read = readConfig(this.#host, location.href));
    // Frameworks set equal values again and again: only another value makes another checkout.
    if (read.key !== before?.key || read.transport !== before.transport) this.restart();
  }

  /** Called before each render. */
  configure(changed: PropertyValues<CheckoutProperties>): void {
    if (!this.#stay) return;
    if (!this.#read || changed.size > 0) this.read();
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
    this.#waiting = [];
    const { config, mistakes, fatal } = this.#read;
    const { order } = config;
    let returned = returnIdIn(location.href);
    this.memory = order === null ? null : createMemory(order, readHint, () => sessionStorage);
    const hint = this.memory?.recall() ?? null;
    // This tab made the attempt that the address names, so this is the checkout the payer comes back to, or another one.
    // An id kept under another token may be this order's all the same, and its attempt tells. A key tells nothing.
    if (returned && (hint?.attempt?.id === returned.id || hint?.idempotencyKey === returned.id)) {
      this.#host.open = this.#host.modal;
    } else if (returned && this.memory?.isOfAnotherOrder(`Key":"${returned.id}"`)) returned = null;
    const open = !this.#host.modal || this.#host.open;
    if ((!open && !this.#asked && !returned) || (order === null && !returned && !fatal)) {
      return this.send({ type: 'stop' });
    }
    if (fatal) return this.send({ type: 'misconfigured', detail: mistakes.join(' ') });
    for (const mistake of mistakes) this.#effects.report(mistake);
    // The page's own offer belongs to the order it came with: it answers the first read, until the backend does.
    const offer = this.#begun || returned || hint?.attempt ? null : embeddedOffer(this.#host);
    this.send({ type: 'start', config, hint, returned, open });
    if (offer) this.send({ type: 'offer-loaded', run: this.state.run, offer, level: 'FULL' });
    this.#begun = true;
    if (!navigator.onLine) this.send({ type: 'offline' });
  }

  /** Fetches what the method that is ticked will need. Nothing is said when it fails: what is needed is asked for again. */
  prepare(): void {
    // Not asked for in vain while the device is offline.
    if (navigator.onLine) this.#load().catch(() => undefined);
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
    const { paying } = this;
    if (paying && this.#lacks(paying.chunksFor(before, input))) return this.#wait(input);
    const timed = { ...input, atMs: Date.now() };
    const [state, effects, waits = false] = paying?.transition(before, timed) ?? opening(before, timed);
    this.state = state;
    if (state !== before) this.#host.requestUpdate();
    for (const effect of effects) this.#effects.run(effect);
    if (waits) this.#wait(input);
    else if (input.type === 'online') this.#expect(true);
    else if (state.screen.phase !== before.screen.phase) this.#expect(false);
  }

  #lacks(chunks: readonly ChunkType[]): boolean {
    return chunks.some((chunk) => !this.#host.helper(chunk).module);
  }

  #wait(input: Input): void {
    this.#waiting.push(input);
    this.#host.requestUpdate();
    void this.#fetch();
  }

  /**
   * Fetches the second act where it will be needed: while the payer reads the first screen, because before it the two
   * would share the line, and at once where an attempt is known. What failed is tried again when a screen changes or the
   * network comes back, and never in a loop.
   */
  #expect(isBack: boolean): void {
    const { screen, hint } = this.state;
    switch (screen.phase) {
      case 'idle':
        return;
      case 'loading':
        if (hint?.attempt) this.prepare();
        return;
      case 'choosing':
        return afterFrame(() => this.prepare());
      case 'failed':
        if (isBack) void this.#fetch();
        return;
      default:
        void this.#fetch();
    }
  }

  /** Inputs that wait are taken when their chunks arrive. When they do not the payer is asked to reload, and none waits. */
  async #fetch(): Promise<void> {
    if (!this.#stay) return;
    const { signal } = this.#stay;
    try {
      await this.#load();
      if (signal.aborted) return;
      const { screen } = this.state;
      if (screen.phase === 'failed' && screen.reason === 'part_missing') this.restart();
      // Meanwhile the dialog may have been opened or closed.
      for (const input of this.#waiting.splice(0))
        this.send('open' in input ? { ...input, open: this.state.open } : input);
    } catch {
      if (signal.aborted) return;
      const { length } = this.#waiting.splice(0);
      if (length > 0 || this.#isBlank()) this.send({ type: 'part-missing' });
    }
  }

  /** The second act, and of its chunks those that inputs wait for; else those of the screen, or of the method ticked. */
  async #load(): Promise<void> {
    const { helper } = this.#host;
    const { paying } = await helper(PayingChunk).load();
    const { method } = helper(Ticked);
    const inputs = [...this.#waiting];
    if (inputs.length === 0 && method && this.state.screen.phase === 'choosing')
      inputs.push({ type: 'choose', method, idempotencyKey: '' });
    const chunks = [null, ...inputs].flatMap((input) => paying.chunksFor(this.state, input));
    await Promise.all(chunks.map((chunk) => helper(chunk).load()));
  }

  /** Whether the present screen cannot be drawn. */
  #isBlank(): boolean {
    const { paying, state } = this;
    return paying ? this.#lacks(paying.chunksFor(state, null)) : state.screen.phase === 'details';
  }
}
