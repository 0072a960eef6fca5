import type { PostgresPort } from './port.js';

const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** How long a message to oneself may take to come back before the connection counts as dead. */
const echoMs = 5_000;
const echo = 'echo';

export interface ListenerCallbacks {
  heard(payload: string): void;
  /** Messages may have been missed before this moment; from here on none is. */
  restored(): void;
}

/**
 * Keeps listening to a channel: again after each lost connection, with back-off. A connection that is silent because
 * it is dead, which no event tells, is found by messages to oneself.
 */
export class PostgresListener {
  readonly #port: PostgresPort;
  readonly #channel: string;
  readonly #callbacks: ListenerCallbacks;
  readonly #clock: () => number;
  /** Messages start with it, so that those of this instance are known. */
  readonly instance = crypto.randomUUID();
  #stop: (() => Promise<void>) | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #state: 'idle' | 'connecting' | 'listening' | 'waiting' | 'closed' = 'idle';
  #heardAt = 0;
  #askedAt = 0;

  constructor(
    port: PostgresPort,
    channel: string,
    callbacks: ListenerCallbacks,
    clock: () => number = () => performance.now(),
  ) {
    this.#port = port;
    this.#channel = channel;
    this.#callbacks = callbacks;
    this.#clock = clock;
  }

  get listening(): boolean {
    return this.#state === 'listening';
  }

  start(): void {
    if (this.#state === 'idle' && this.#port.listen !== undefined) void this.#connect();
  }

  async #connect(): Promise<void> {
    const { listen } = this.#port;
    if (listen === undefined) return;
    this.#state = 'connecting';
    // Each connection has a word of its own in whether it is lost: a late one of an earlier connection changes nothing.
    let current = true;
    try {
      const stop = await listen(
        this.#channel,
        (payload) => this.#hear(payload),
        () => {
          if (current) this.#lose();
          current = false;
        },
      );
      if (this.#isClosed()) {
        current = false;
        await stop();
        return;
      }
      this.#stop = () => {
        current = false;
        return stop();
      };
      if (!current) throw new Error('lost while connecting');
      this.#state = 'listening';
      this.#failures = 0;
      this.#heardAt = this.#askedAt = this.#clock();
      this.#callbacks.restored();
    } catch {
      current = false;
      this.#retry();
    }
  }

  /** A method, because the state changes while `#connect` waits and the compiler would not believe it. */
  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #lose(): void {
    if (this.#state !== 'listening') return;
    this.#stopQuietly();
    this.#retry();
  }

  #retry(): void {
    if (this.#state === 'closed') return;
    this.#state = 'waiting';
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#retryTimer = setTimeout(() => void this.#connect(), pause * (0.5 + Math.random() / 2));
  }

  #hear(payload: string): void {
    this.#heardAt = this.#clock();
    if (!payload.startsWith(this.instance)) this.#callbacks.heard(payload.slice(this.instance.length + 1));
  }

  /** To be called now and then while somebody waits. */
  async check(): Promise<void> {
    if (this.#state !== 'listening') return;
    const now = this.#clock();
    if (now - this.#askedAt < echoMs) return;
    if (this.#heardAt < this.#askedAt) return this.#lose();
    this.#askedAt = now;
    try {
      await this.#port.query('select pg_notify($1, $2)', [this.#channel, this.message(echo)]);
    } catch {
      this.#lose();
    }
  }

  message(text: string): string {
    return `${this.instance} ${text}`;
  }

  #stopQuietly(): void {
    this.#stop?.().catch(() => {});
    this.#stop = undefined;
  }

  async close(): Promise<void> {
    clearTimeout(this.#retryTimer);
    this.#state = 'closed';
    const stop = this.#stop;
    this.#stop = undefined;
    await stop?.().catch(() => {});
  }
}
