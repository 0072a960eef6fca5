import type { PayCheckoutEventMap } from '../../src/index.js';
import type { Entry } from './log.js';

/** All there are; the compiler says so when one is missing. */
const EVENTS = {
  'checkout-ready': '',
  'payin-created': '',
  'payin-updated': '',
  'payin-confirmed': 'good',
  'payin-declined': 'bad',
  'payin-canceled': 'bad',
  'payin-lapsed': 'bad',
  'paymentlink-created': '',
  'paymentlink-completed': 'good',
  'paymentlink-expired': 'bad',
  'checkout-redirect': '',
  'checkout-finished': '',
  'checkout-error': 'bad',
  'checkout-closed': '',
} as const satisfies Record<keyof PayCheckoutEventMap, Entry['tone']>;

/** Logs every event of the element that reaches `target`. */
export function watchEvents(target: HTMLElement, tell: (entry: Entry, event: Event) => void): void {
  for (const [name, tone] of Object.entries(EVENTS)) {
    target.addEventListener(name, (event) => {
      const { isTrusted: _, ...detail } = { ...event };
      tell({ id: newId(), at: Date.now(), name, what: inShort(detail), tone, detail }, event);
    });
  }
}

function inShort(detail: object): string {
  const { payin, link, reason, offer } = detail as {
    payin?: { status: string; rail: string };
    link?: { status: string };
    reason?: string;
    offer?: { methods: readonly unknown[] } | null;
  };
  if (payin) return `${payin.rail} ${payin.status}`;
  if (link) return link.status;
  if (reason !== undefined) return reason;
  return offer ? `${offer.methods.length} medios` : '';
}

/** Logs every call to the shop's checkout endpoints: once when it is sent and once when it is answered. */
export function watchRequests(prefix: string, tell: (entry: Entry) => void): void {
  const real = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(prefix)) return real(input, init);
    const at = Date.now();
    const startedMs = performance.now();
    const call = { id: newId(), at, name: `${init?.method ?? 'GET'} ${shortPath(url, prefix)}` };
    const sent = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
    const took = () => `${Math.round(performance.now() - startedMs)} ms`;
    tell({ ...call, what: 'esperando…', tone: 'wait', detail: { sent } });
    try {
      const response = await real(input, init);
      const answer = (await response
        .clone()
        .json()
        .catch(() => undefined)) as unknown;
      const { code } = Object(answer) as { code?: string };
      const what = [response.status, code, took()].filter(Boolean).join(' · ');
      tell({ ...call, what, tone: response.ok ? 'good' : 'bad', detail: { sent, answer } });
      return response;
    } catch (error) {
      const gone = error instanceof DOMException && error.name === 'AbortError';
      const what = `${gone ? 'ya no hacía falta' : 'sin respuesta'} · ${took()}`;
      tell({ ...call, what, tone: gone ? '' : 'bad', detail: { sent } });
      throw error;
    }
  };
}

/** Tokens are long and say nothing to a reader. */
function shortPath(url: URL, prefix: string): string {
  const path = `${url.pathname.slice(prefix.length)}${url.search}`;
  return `/${decodeURIComponent(path).replaceAll(/[\w.-]{20,}/g, (token) => `${token.slice(0, 8)}…`)}`;
}

/** `crypto.randomUUID` is missing on pages without HTTPS. */
function newId(): string {
  return String(crypto.getRandomValues(new BigUint64Array(1))[0]);
}
