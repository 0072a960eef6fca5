import type { CheckoutEvent, Effect } from '../../src/machine/effect.js';
import type { Config, Input, Hint, ReturnId } from '../../src/machine/input.js';
import { type Phase, type State, initialState } from '../../src/machine/state.js';
import { transition } from '../../src/machine/paying/transition.js';
import { createHttpTransport } from '../../src/transport/http/http-transport.js';
import { TransportError } from '../../src/transport/port.js';
import type { Tabs } from '../../src/transport/tabs.js';
import { createWatcher } from '../../src/transport/watcher.js';
import type { Clock } from '../../src/sandbox.js';
import type { Checkout } from '../../src/server.js';
import { BACKEND, SHOP } from '../server/world.js';

/** What a widget needs of the world it lives in. */
export interface Home {
  readonly clock: Clock;
  readonly checkouts: readonly Pick<Checkout, 'fetch'>[];
}

/** What a test may put in the place of the real thing. */
export interface Parts {
  readonly transition: typeof transition;
  readonly createWatcher: typeof createWatcher;
}

export interface WidgetOptions {
  readonly order: string | null;
  readonly config?: Partial<Config>;
  readonly hint?: Hint | null;
  readonly returned?: ReturnId | null;
  readonly parts?: Parts;
  readonly random?: () => number;
  readonly tabs?: Tabs | undefined;
  /** Tells the keys of one widget from another's. */
  readonly name?: string;
  /** Looks at the widget after each thing that happened to it. */
  readonly observe?: (widget: Widget, input: Input) => void;
}

/** Everything of the widget but its looks, on a page that lives in a test's world: clock, kit and sandbox. */
export class Widget {
  state: State = initialState;
  hint: Hint | null = null;
  hidden = false;
  /** Stands between widget and backend. */
  network = (request: Request, next: (request: Request) => Promise<Response>) => next(request);
  readonly events: CheckoutEvent[] = [];
  readonly redirects: string[] = [];
  readonly requests: string[] = [];
  cleaned = false;
  readonly #world: Home;
  readonly #parts: Parts;
  readonly #name: string;
  readonly #observe: ((widget: Widget, input: Input) => void) | undefined;
  readonly #stop = new AbortController();
  readonly #transport;
  readonly #watcher;
  #wake: () => void = () => {};
  #cancelTick: () => void = () => {};
  #keys = 0;

  constructor(world: Home, options: WidgetOptions) {
    const { order, config, hint = null, returned = null, random = () => 0.5, name = 'widget' } = options;
    this.#world = world;
    this.#parts = options.parts ?? { transition, createWatcher };
    this.#name = name;
    this.#observe = options.observe;
    this.hint = hint;
    const { clock } = world;
    const after = (delayMs: number, run: () => void) => {
      const cancel = clock.setTimer(delayMs, run);
      return () => void cancel();
    };
    this.#transport = createHttpTransport({
      backend: BACKEND,
      now: () => clock.now(),
      after,
      fetch: (input, init) => this.#fetch(new Request(input, init)),
    });
    this.#watcher = this.#parts.createWatcher(
      (target, options) => this.#transport.read(target, options),
      {
        arrived: (asked, attempt) => this.do({ type: 'attempt', asked, attempt }),
        missing: (id) => this.do({ type: 'attempt-missing', id }),
        failed: (id, failures) => this.do({ type: 'watch-failed', id, failures }),
      },
      {
        nowMs: () => clock.now(),
        after,
        random,
        tabs: options.tabs,
        hidden: () => this.hidden,
        onWake: (wake) => {
          this.#wake = wake;
          return () => {
            this.#wake = () => {};
          };
        },
      },
    );
    this.do({
      type: 'start',
      config: {
        order,
        rails: null,
        keyType: null,
        callbackUrl: `${SHOP}/gracias`,
        hosted: false,
        bank: null,
        linkMode: 'FOLLOW',
        ...config,
      },
      hint,
      returned,
      open: true,
    });
  }

  get phase(): Phase {
    return this.state.screen.phase;
  }

  get told(): string[] {
    return this.events.map(({ type }) => type).filter((type) => type !== 'payin-updated');
  }

  key(): string {
    return `${this.#name}-key-${String(++this.#keys).padStart(4, '0')}-${this.#world.clock.now()}`;
  }

  do(...inputs: Input[]): void {
    for (const input of inputs) {
      const [state, effects] = this.#parts.transition(this.state, {
        ...input,
        atMs: this.#world.clock.now(),
      });
      this.state = state;
      for (const effect of effects) this.#run(effect);
      this.#observe?.(this, input);
    }
  }

  choose(rail: 'BRE_B' | 'PSE' | null): void {
    const { screen } = this.state;
    if (screen.phase !== 'choosing') throw new Error(`nothing to choose on ${screen.phase}`);
    const method = screen.methods.find((each) => each.rail === rail);
    if (!method) throw new Error('no such method');
    this.do({ type: 'choose', method, idempotencyKey: this.key() });
  }

  /** The page is looked at again. */
  wake(): void {
    this.#wake();
  }

  /** The page goes away, with everything that was under way. */
  close(): void {
    this.do({ type: 'stop' });
    this.#watcher.stop();
    this.#stop.abort();
  }

  async #fetch(request: Request): Promise<Response> {
    this.requests.push(`${request.method} ${new URL(request.url).pathname}`);
    // A browser rejects as soon as it is told to stop, whatever the other side does.
    const aborted = new Promise<never>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    });
    const [checkout] = this.#world.checkouts;
    if (!checkout) throw new Error('no backend');
    return Promise.race([this.network(request, (each) => checkout.fetch(each)), aborted]);
  }

  #answer<Value>(
    call: Promise<Value>,
    done: (value: Value) => Input,
    failed: (failure: TransportError) => Input,
  ): void {
    const { signal } = this.#stop;
    call.then(
      (value) => {
        if (!signal.aborted) this.do(done(value));
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (!(error instanceof TransportError)) throw error;
        this.do(failed(error));
      },
    );
  }

  #run(effect: Effect): void {
    const { signal } = this.#stop;
    switch (effect.type) {
      case 'load-offer': {
        const { run } = effect;
        return this.#answer(
          this.#transport.offer(effect.order, { signal }),
          (loaded) => ({ type: 'offer-loaded', run, ...loaded }),
          (failure) => ({ type: 'offer-failed', run, failure }),
        );
      }
      case 'create': {
        const { idempotencyKey, request } = effect;
        const options = { signal, idempotencyKey };
        return this.#answer(
          request.kind === 'PAYIN'
            ? this.#transport.createPayin(request.body, options)
            : this.#transport.createLink(request.body, options),
          (attempt) => ({ type: 'created', idempotencyKey, attempt }),
          (failure) => ({ type: 'create-failed', idempotencyKey, failure }),
        );
      }
      case 'watch':
        return this.#watcher.watch(effect.targets);
      case 'check':
        return this.#watcher.check(effect.target);
      case 'redirect':
        this.redirects.push(effect.url);
        return;
      case 'schedule': {
        this.#cancelTick();
        this.#cancelTick = () => {};
        if (effect.atMs === null) return;
        const delayMs = effect.atMs - this.#world.clock.now();
        const cancel = this.#world.clock.setTimer(delayMs, () => this.do({ type: 'tick' }));
        this.#cancelTick = () => void cancel();
        return;
      }
      case 'emit':
        this.events.push(effect.event);
        return;
      case 'remember':
        this.hint = effect.hint;
        return;
      case 'clean-address':
        this.cleaned = true;
        return;
      case 'announce':
      case 'finish':
      case 'measure':
        return;
    }
  }
}
