import type { Attempt, Offer } from '../../../src/contract/backend.js';
import type { StartLink, StartPayin } from '../../../src/contract/start.js';
import type { ReturnId } from '../../../src/contract/return-id.js';
import {
  type CallOptions,
  type CreateOptions,
  type LoadedOffer,
  type ReadOptions,
  type Transport,
  TransportError,
} from '../../../src/transport/port.js';
import { breb, link, offer, pse } from '../../machine/fixtures.js';

type Answer<Value> = Value | TransportError;
type Create = { readonly idempotencyKey: string } & (
  | { readonly kind: 'PAYIN'; readonly body: StartPayin }
  | { readonly kind: 'PAYMENT_LINK'; readonly body: StartLink }
);

/** A backend in a variable: a test says what it answers, and looks at what it was asked. */
export class CannedTransport implements Transport {
  /** What there is to pay; an error refuses. */
  offered: Answer<Offer> = offer();
  level: LoadedOffer['level'] = 'FULL';
  /** What a create answers. By default the attempt of the fixtures for the rail asked for. */
  creates: (create: Create) => Answer<Attempt> = attemptFor;

  readonly offersAsked: string[] = [];
  readonly created: Create[] = [];
  readonly reads: ReturnId[] = [];
  /** Calls that were neither answered nor aborted. */
  inFlight = 0;

  readonly #attempts = new Map<string, Attempt>();
  readonly #waiting = new Map<string, Set<() => void>>();
  #gate: Promise<void> | undefined;
  #open: (() => void) | undefined;

  /** Everything asked from now on waits for `release`. */
  hold(): void {
    this.#gate = new Promise((resolve) => (this.#open = resolve));
  }

  release(): void {
    this.#gate = undefined;
    this.#open?.();
  }

  /** The backend learns something: reads answer it, and one that is being held is answered now. */
  tell(attempt: Attempt): void {
    this.#attempts.set(attempt.id, attempt);
    for (const wake of this.#waiting.get(attempt.id) ?? []) wake();
  }

  async offer(order: string, { signal }: CallOptions): Promise<LoadedOffer> {
    this.offersAsked.push(order);
    return this.#answer(signal, () => ({ offer: good(this.offered), level: this.level }));
  }

  createPayin(body: StartPayin, options: CreateOptions): Promise<Attempt> {
    return this.#create({ kind: 'PAYIN', body, idempotencyKey: options.idempotencyKey }, options.signal);
  }

  createLink(body: StartLink, options: CreateOptions): Promise<Attempt> {
    return this.#create(
      { kind: 'PAYMENT_LINK', body, idempotencyKey: options.idempotencyKey },
      options.signal,
    );
  }

  async read(target: ReturnId, { after, signal }: ReadOptions): Promise<Attempt> {
    const { kind, id } = target;
    this.reads.push({ kind, id });
    const now = await this.#answer(signal, () => this.#attempts.get(id));
    if (!now) throw notFound();
    if (after === undefined || now.version !== after) return now;
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting);
    let wake: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (wake = resolve));
    waiting.add(wake);
    try {
      await this.#until(signal, told);
    } finally {
      waiting.delete(wake);
    }
    return { ...this.#attempts.get(id)!, waited: true };
  }

  async #create(create: Create, signal: AbortSignal): Promise<Attempt> {
    this.created.push(create);
    return this.#answer(signal, () => {
      const attempt = good(this.creates(create));
      this.#attempts.set(attempt.id, attempt);
      return attempt;
    });
  }

  async #answer<Value>(signal: AbortSignal, answer: () => Value): Promise<Value> {
    await this.#until(signal, this.#gate ?? Promise.resolve());
    return answer();
  }

  /** Waits for `moment`, or throws when the signal comes first. */
  async #until(signal: AbortSignal, moment: Promise<void>): Promise<void> {
    signal.throwIfAborted();
    this.inFlight += 1;
    let abort: () => void = () => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        abort = () => reject(new DOMException('Aborted', 'AbortError'));
        signal.addEventListener('abort', abort);
        void moment.then(resolve);
      });
    } finally {
      this.inFlight -= 1;
      signal.removeEventListener('abort', abort);
    }
  }
}

function attemptFor({ kind, body }: Create): Attempt {
  if (kind === 'PAYMENT_LINK') return link();
  if (body.rail === 'PSE') return pse();
  const source = breb().sourceData!;
  return breb({ sourceData: { ...source, keyType: body.breb.keyType, qrString: PNG } });
}

function good<Value>(answer: Answer<Value>): Value {
  if (answer instanceof TransportError) throw answer;
  return answer;
}

const notFound = () =>
  new TransportError('PROBLEM', { status: 404, problem: { code: 'not_found', status: 404 } });

/** A picture as the service sends it; what it shows does not matter here. */
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAGTLoLwAAAABJRU5ErkJggg==';
