import { type Clock, systemClock } from '../../service/clock.js';
import { ConsoleProblemError } from './problem.js';

/**
 * Sends open pages a hint that something changed, as server-sent events. They read the change themselves, so a hint
 * that is lost, late or repeated does no harm. Nothing runs while no page is open.
 */

const LOOK_MS = 600;
/** A proxy may keep a dead connection open; regular messages let the page notice. */
const HEARTBEAT_MS = 5_000;
const MOST_LISTENERS = 50;
/** A reader this far behind is dropped; it reads everything when it reconnects. */
const MOST_UNREAD = 64;

interface Listener {
  readonly session: string;
  readonly stream: ReadableStreamDefaultController<Uint8Array>;
}

export interface LiveOptions {
  /** A number that moves with every change at the sandbox; rejects while it is away. Absent: only own hints are sent. */
  readonly revision?: ((signal: AbortSignal) => Promise<number>) | undefined;
  readonly clock?: Clock;
}

export class Live {
  readonly #revision: LiveOptions['revision'];
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  readonly #encoder = new TextEncoder();
  #stopWatch: (() => void) | undefined;
  #service: 'here' | 'away' = 'here';

  constructor({ revision, clock = systemClock }: LiveOptions = {}) {
    this.#revision = revision;
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
    // How soon a browser comes back after a lost connection, and where things stand.
    this.#send(listener, 'retry: 1500\n\n');
    this.#send(listener, message(this.#service));
    this.#stopWatch ??= this.#watch();
  }

  #remove(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    try {
      listener.stream.close();
    } catch {
      // It was canceled by its reader.
    }
    if (this.#listeners.size > 0) return;
    this.#stopWatch?.();
    this.#stopWatch = undefined;
  }

  #tell(name: string): void {
    for (const listener of [...this.#listeners]) this.#send(listener, message(name));
  }

  #send(listener: Listener, text: string): void {
    if ((listener.stream.desiredSize ?? 0) < -MOST_UNREAD) return this.#remove(listener);
    listener.stream.enqueue(this.#encoder.encode(text));
  }

  /** Polls the sandbox while a page is open, because webhooks may be lost and the console must show that too. */
  #watch(): () => void {
    const abort = new AbortController();
    let known: number | undefined;
    let cancelLook = () => {};
    let cancelBeat = () => {};
    const look = async (revision: NonNullable<LiveOptions['revision']>) => {
      const seen = await revision(abort.signal).catch(() => undefined);
      if (abort.signal.aborted) return;
      const service = seen === undefined ? 'away' : 'here';
      if (service !== this.#service) this.#tell((this.#service = service));
      if (seen !== undefined && known !== undefined && seen !== known) this.#tell('changed');
      known = seen ?? known;
      cancelLook = this.#clock.setTimer(LOOK_MS, () => void look(revision));
    };
    const beat = () => {
      cancelBeat = this.#clock.setTimer(HEARTBEAT_MS, () => {
        this.#tell('beat');
        beat();
      });
    };
    if (this.#revision !== undefined) void look(this.#revision);
    beat();
    return () => {
      abort.abort();
      cancelLook();
      cancelBeat();
    };
  }
}

function message(name: string): string {
  return `event: ${name}\ndata:\n\n`;
}
