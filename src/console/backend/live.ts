import type { Clock } from '../../service/clock.js';
import { ConsoleProblemError } from './problem.js';

/**
 * Sends open pages a hint that something changed, as server-sent events. They read the change themselves, so a hint
 * that is lost, late or repeated does no harm. Nothing runs while no page is open.
 */

/** A proxy may keep a dead connection open; regular messages let the page notice. */
const HEARTBEAT_MS = 5_000;
const MOST_LISTENERS = 50;
/** A reader this far behind is dropped; it reads everything when it reconnects. */
const MOST_UNREAD = 64;

interface Listener {
  readonly session: string;
  readonly stream: ReadableStreamDefaultController<Uint8Array>;
}

export class Live {
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  readonly #encoder = new TextEncoder();
  #cancelBeat: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  open(session: string, signal: AbortSignal): Response {
    if (this.#listeners.size >= MOST_LISTENERS) throw new ConsoleProblemError('too_many');
    let gone = () => {};
    const body = new ReadableStream<Uint8Array>(
      {
        start: (stream) => {
          const listener: Listener = { session, stream };
          gone = () => this.#remove(listener);
          this.#add(listener);
        },
        cancel: () => gone(),
      },
      { highWaterMark: 1 },
    );
    // Whichever is noticed first: the stream being let go, or the connection.
    if (signal.aborted) gone();
    else signal.addEventListener('abort', () => gone(), { once: true });
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' },
    });
  }

  changed(): void {
    this.#tell('changed');
  }

  /** Ends the streams of a session that was left, or all of them. */
  close(session?: string): void {
    for (const listener of [...this.#listeners]) {
      if (session === undefined || listener.session === session) this.#remove(listener);
    }
  }

  #add(listener: Listener): void {
    this.#listeners.add(listener);
    // How soon a browser comes back after a lost connection.
    this.#send(listener, 'retry: 1500\n\n');
    if (this.#cancelBeat === undefined) this.#beat();
  }

  #remove(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    try {
      listener.stream.close();
    } catch {
      // It was canceled by its reader.
    }
    if (this.#listeners.size > 0) return;
    this.#cancelBeat?.();
    this.#cancelBeat = undefined;
  }

  #tell(name: string): void {
    for (const listener of [...this.#listeners]) this.#send(listener, message(name));
  }

  #send(listener: Listener, text: string): void {
    if ((listener.stream.desiredSize ?? 0) < -MOST_UNREAD) return this.#remove(listener);
    listener.stream.enqueue(this.#encoder.encode(text));
  }

  #beat(): void {
    this.#cancelBeat = this.#clock.setTimer(HEARTBEAT_MS, () => {
      this.#beat();
      this.#tell('beat');
    });
  }
}

function message(name: string): string {
  return `event: ${name}\ndata:\n\n`;
}
