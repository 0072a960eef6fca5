import type { PostgresPort } from './port.js';

const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** How long a message to oneself may take to come back before the connection counts as dead. */
const echoMs = 5_000;
const echo = 'echo';

export interface ListenerCallbacks {
  onMessage(payload: string): void;
  /** Messages may have been missed before this moment; from here on none is. */
  onRestored(): void;
}

/**
 * Keeps listening to a channel: again after each lost connection, with back-off. A dead connection that sends no event
 * is found by messages to oneself.
 */
export class PostgresListener {
  readonly #port: PostgresPort;
  readonly #channel: string;
  readonly #callbacks: ListenerCallbacks;
  readonly #clock: () => number;
  /** Messages start with it, so that an instance recognises its own. */
  readonly instance = crypto.randomUUID();
  #stop: (() => Promise<void>) | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #state: 'idle' | 'connecting' | 'listening' | 'waiting' | 'closed' = 'idle';
  #receivedAt = 0;
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
    // Set to false when this connection is over, so that its late signals change nothing.
    let current = true;
    try {
      const stop = await listen(
        this.#channel,
        (payload) => this.#receive(payload),
        () => {
          if (current) this.#onLost();
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
      this.#receivedAt = this.#askedAt = this.#clock();
      this.#callbacks.onRestored();
    } catch {
      current = false;
      this.#stopQuietly();
      this.#retry();
    }
  }

  /** A method, because the compiler does not see that the state changes while `#connect` waits. */
  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #onLost(): void {
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

  #receive(payload: string): void {
    this.#receivedAt = this.#clock();
    if (!payload.startsWith(this.instance))
      this.#callbacks.onMessage(payload.slice(this.instance.length + 1));
  }

  /** To be called now and then while there are waiters. */
  async check(): Promise<void> {
    if (this.#state !== 'listening') return;
    const now = this.#clock();
    if (now - this.#askedAt < echoMs) return;
    if (this.#receivedAt < this.#askedAt) return this.#onLost();
    this.#askedAt = now;
    try {
      await this.#port.query('select pg_notify($1, $2)', [this.#channel, this.message(echo)]);
    } catch {
      this.#onLost();
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
