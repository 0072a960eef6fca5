import type { PayCheckoutEventMap } from '../../src/index.js';
import type { Simulator } from '../../src/simulator.js';
import type { Entry } from './log.js';
import { words } from './words.js';

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
  return offer ? `${offer.methods.length} ${words.methods}` : '';
}

/** Logs every call of the checkout: once when it is sent and once when it is answered. */
export function watchCalls(simulator: Simulator, tell: (entry: Entry) => void): void {
  const { offer, createPayin, createLink, read } = simulator;
  simulator.offer = (order, options) => watched(`GET /orders/${order}`, undefined, offer(order, options));
  simulator.createPayin = (body, options) => watched('POST /payins', body, createPayin(body, options));
  simulator.createLink = (body, options) => watched('POST /payment-links', body, createLink(body, options));
  simulator.read = (target, options) => {
    const noun = target.kind === 'PAYIN' ? 'payins' : 'payment-links';
    const wait = options.after === undefined ? '' : `?wait=${options.waitSeconds ?? 0}`;
    return watched(`GET /${noun}/${target.id.slice(0, 8)}…${wait}`, undefined, read(target, options));
  };

  async function watched<Answer>(name: string, sent: unknown, answered: Promise<Answer>): Promise<Answer> {
    const startedMs = performance.now();
    const call = { id: newId(), at: Date.now(), name };
    const took = () => `${Math.round(performance.now() - startedMs)} ms`;
    tell({ ...call, what: words.waiting, tone: 'wait', detail: { sent } });
    try {
      const answer = await answered;
      tell({ ...call, what: took(), tone: 'good', detail: { sent, answer } });
      return answer;
    } catch (error) {
      const { name: kind, problem } = Object(error) as { name?: string; problem?: { code: string } | null };
      const isGone = kind === 'AbortError';
      const what = isGone ? words.unneeded : (problem?.code ?? words.unanswered);
      tell({ ...call, what: `${what} · ${took()}`, tone: isGone ? '' : 'bad', detail: { sent, problem } });
      throw error;
    }
  }
}

/** `crypto.randomUUID` is missing on pages without HTTPS. */
function newId(): string {
  return String(crypto.getRandomValues(new BigUint64Array(1))[0]);
}
