/** What a page can acquire and forget to release, counted while it is open. */
export interface Ledger {
  /** What is held at this moment, by name, each with how often: `listener on Window: pageshow`. Empty when nothing is. */
  held(): Record<string, number>;
  /** Gives the page its own functions back. */
  close(): void;
}

/** Wraps everything on the page that has to be let go again. What was acquired before is not seen. */
export function openLedger(): Ledger {
  /** One entry for each thing held; the value says what it is. */
  const open = new Map<unknown, string>();
  const undo: (() => void)[] = [];

  function replace<Owner extends object, Name extends keyof Owner>(
    owner: Owner,
    name: Name,
    wrap: (original: Owner[Name]) => Owner[Name],
  ): void {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { configurable: true, writable: true, value: wrap(owner[name]) });
    undo.push(() => {
      if (own) Object.defineProperty(owner, name, own);
      else Reflect.deleteProperty(owner, name);
    });
  }

  timers();
  listeners();
  requests();
  observers();
  locks();
  channels();

  return {
    held() {
      const counts: Record<string, number> = {};
      for (const name of open.values()) counts[name] = (counts[name] ?? 0) + 1;
      return counts;
    },
    close() {
      for (const step of undo.reverse()) step();
    },
  };

  function timers() {
    type Page = Record<string, (...facts: never[]) => unknown>;
    const page = window as unknown as Page;
    for (const [set, clear, name, repeats] of [
      ['setTimeout', 'clearTimeout', 'timer', false],
      ['setInterval', 'clearInterval', 'interval', true],
      ['requestAnimationFrame', 'cancelAnimationFrame', 'frame', false],
      ['requestIdleCallback', 'cancelIdleCallback', 'idle callback', false],
    ] as const) {
      // WebKit has no idle callbacks.
      if (!page[set]) continue;
      replace(page, set, (original) => (run: (...facts: unknown[]) => void, ...rest: never[]) => {
        const once = (...facts: unknown[]) => {
          if (!repeats) open.delete(`${name} ${id}`);
          run(...facts);
        };
        const id = original.call(window, once as never, ...rest) as number;
        open.set(`${name} ${id}`, name);
        return id;
      });
      replace(page, clear, (original) => (id: number) => {
        open.delete(`${name} ${id}`);
        original.call(window, id as never);
      });
    }
  }

  /** On what outlives a removed element; listeners within it go with it. */
  function listeners() {
    interface Entry {
      readonly target: EventTarget;
      readonly type: string;
      readonly listener: unknown;
      readonly capture: boolean;
    }
    const entries = new Set<Entry>();
    const captures = (options: unknown) =>
      options === true || Boolean((Object(options) as AddEventListenerOptions).capture);
    const find = (target: EventTarget, type: string, listener: unknown, options: unknown) =>
      [...entries].find(
        (entry) =>
          entry.target === target &&
          entry.type === type &&
          entry.listener === listener &&
          entry.capture === captures(options),
      );
    const drop = (entry: Entry | undefined) => {
      if (!entry) return;
      entries.delete(entry);
      open.delete(entry);
    };
    const { prototype } = EventTarget;
    const add = prototype.addEventListener;
    replace(
      prototype,
      'addEventListener',
      () =>
        function (this: EventTarget | undefined, type, listener, options) {
          const target = this ?? window;
          add.call(target, type, listener, options);
          if (target instanceof Node && target !== document) return;
          const { signal, once } = Object(options) as AddEventListenerOptions;
          if (signal?.aborted || find(target, type, listener, options)) return;
          const entry: Entry = { target, type, listener, capture: captures(options) };
          entries.add(entry);
          open.set(entry, `listener on ${target.constructor.name}: ${type}`);
          if (signal) add.call(signal, 'abort', () => drop(entry));
          if (once) add.call(target, type, () => drop(entry), { once });
        },
    );
    replace(
      prototype,
      'removeEventListener',
      (original) =>
        function (this: EventTarget | undefined, type, listener, options) {
          const target = this ?? window;
          drop(find(target, type, listener, options));
          original.call(target, type, listener, options);
        },
    );
  }

  function requests() {
    replace(window, 'fetch', (original) => (input, init) => {
      const call = original.call(window, input, init);
      open.set(call, 'request');
      const end = () => open.delete(call);
      call.then(end, end);
      return call;
    });
  }

  function observers() {
    for (const { prototype } of [MutationObserver, ResizeObserver, IntersectionObserver]) {
      replace(
        prototype,
        'observe',
        (original: (...facts: never[]) => void) =>
          function (this: object, ...facts: never[]) {
            open.set(this, this.constructor.name);
            original.apply(this, facts);
          },
      );
      replace(
        prototype,
        'disconnect',
        (original) =>
          function (this: never) {
            open.delete(this);
            original.call(this);
          },
      );
    }
  }

  function locks() {
    replace(
      LockManager.prototype,
      'request',
      (original) =>
        function (this: LockManager, ...facts: unknown[]) {
          const lock = (original as (...facts: unknown[]) => Promise<unknown>).apply(this, facts);
          open.set(lock, 'lock');
          const end = () => open.delete(lock);
          lock.then(end, end);
          return lock;
        },
    );
  }

  function channels() {
    replace(
      window,
      'BroadcastChannel',
      (Original) =>
        class extends Original {
          constructor(name: string) {
            super(name);
            open.set(this, 'channel');
          }

          override close() {
            open.delete(this);
            super.close();
          }
        },
    );
  }
}
