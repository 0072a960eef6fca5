/**
 * The tabs of one browser that watch the same attempt. One of them leads and reads; it notifies the others when there
 * is something to read. What another tab says is never believed: it is only a reason to ask the backend.
 */
export interface Tabs {
  /** Joins the tabs that watch under this name, at the end of the queue. A tab leads once `lead(true)` is called. */
  join(name: string, member: Member): Membership;
}

export interface Member {
  /** This tab is the one that watches, or no longer. */
  lead(leading: boolean): void;
  /** A message from another tab. It may be anything: other versions of the widget and the page itself can send it. */
  receive(message: unknown): void;
}

export interface Membership {
  /** Becomes the leader, whichever tab leads now. The one before goes to the end of the queue. */
  take(): void;
  notify(text: string): void;
  /** Releases lock and channel. The first in the queue leads at once. */
  leave(): void;
}

/** With Web Locks and BroadcastChannel; undefined where there is not both (as without HTTPS): then each tab watches. */
export function browserTabs(): Tabs | undefined {
  const { locks } = navigator as Partial<Navigator>;
  if (!locks || typeof BroadcastChannel !== 'function') return undefined;

  return {
    join(name, { lead, receive }) {
      let channel: BroadcastChannel | undefined;
      /** Of the lock that is held or asked for. */
      let mine: AbortController | undefined;

      const ask = async (steal: boolean): Promise<void> => {
        mine?.abort();
        const asked = (mine = new AbortController());
        const over = new Promise<void>((resolve) => (asked.signal.onabort = () => resolve()));
        try {
          // Opened before the lock is there, so that no message is missed meanwhile.
          if (!channel) {
            channel = new BroadcastChannel(name);
            channel.onmessage = ({ data }) => receive(data);
          }
          await locks.request(name, steal ? { steal } : { signal: asked.signal }, () => {
            if (mine !== asked) return;
            lead(true);
            return over;
          });
        } catch (error) {
          if (mine !== asked) return;
          const stolen = (error as DOMException).name === 'AbortError';
          lead(!stolen);
          // Anything else is a browser that does not let this page take part, so it is on its own.
          if (stolen) void ask(false);
        }
      };

      /** A page that is put to sleep loses its lock in some browsers and keeps it in others: it gives it back. */
      function sleep() {
        mine?.abort();
        mine = undefined;
        channel?.close();
        channel = undefined;
        lead(false);
      }

      const wake = () => mine ?? ask(false);
      const moments: [EventTarget, string, () => unknown][] = [
        [window, 'pagehide', sleep],
        [document, 'freeze', sleep],
        [window, 'pageshow', wake],
        [document, 'resume', wake],
      ];
      for (const [target, type, react] of moments) target.addEventListener(type, react);
      void ask(false);

      return {
        take: () => void ask(true),
        notify: (text) => channel?.postMessage(text),
        leave() {
          for (const [target, type, react] of moments) target.removeEventListener(type, react);
          sleep();
        },
      };
    },
  };
}
