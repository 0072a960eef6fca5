/** Hints from the backend that something changed. Opens again by itself after a lost connection, less and less often. */

export interface LiveHandlers {
  readonly changed: () => void;
  readonly connection: (state: 'live' | 'lost') => void;
}

/** Changes of another instance send no hint here, so the page also asks at this interval. */
const LOOK_AGAIN_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** The backend speaks every five seconds; a proxy may keep a connection open whose other end is gone. */
const SILENCE_MS = 12_000;

/** Returns a function that stops it, with its connection and timers. */
export function listen(address: string, handlers: LiveHandlers): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  const open = () => {
    const current = (source = new EventSource(address));
    const listenTo = (name: string, handle: () => void = () => {}) =>
      current.addEventListener(name, () => {
        clearTimeout(timer);
        timer = setTimeout(lost, SILENCE_MS);
        handle();
      });
    listenTo('open', () => {
      pauseMs = FIRST_PAUSE_MS;
      handlers.connection('live');
      // Hints sent meanwhile were missed.
      handlers.changed();
    });
    listenTo('beat');
    listenTo('changed', handlers.changed);
    current.addEventListener('error', lost);
  };
  const lost = () => {
    source?.close();
    clearTimeout(timer);
    timer = setTimeout(open, pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    handlers.connection('lost');
    // The question tells whether the session is over or only the connection.
    handlers.changed();
  };
  const lookAgain = setInterval(() => {
    if (document.visibilityState === 'visible') handlers.changed();
  }, LOOK_AGAIN_MS);
  open();
  return () => {
    clearInterval(lookAgain);
    source?.close();
    clearTimeout(timer);
  };
}
