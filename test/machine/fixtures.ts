import type {
  Attempt,
  BrebAttempt,
  LinkAttempt,
  Offer,
  Problem,
  PseAttempt,
} from '../../src/contract/backend.js';
import type { BrebMethod, Method } from '../../src/contract/offer.js';
import { buildEmvQr } from '../../src/contract/qr/emv-build.js';
import type { Effect } from '../../src/machine/effect.js';
import type { Config, Failure, Input } from '../../src/machine/input.js';
import { type Phase, type Screen, type State, initialState } from '../../src/machine/state.js';
import { transition } from '../../src/machine/paying/transition.js';

/** Noon, for the device and the server alike unless a test says otherwise. */
export const NOON_MS = Date.parse('2026-03-02T12:00:00.000Z');
export const iso = (ms: number): string => new Date(ms).toISOString();

export const config: Config = {
  order: 'A-1042',
  rails: null,
  keyType: null,
  callbackUrl: 'https://shop.example/pay',
  hosted: false,
  bank: null,
  linkMode: 'FOLLOW',
};

export const merchant = {
  name: 'Tienda',
  taxId: null,
  supportEmail: 'ayuda@shop.example',
  supportPhone: null,
  payeeName: null,
};

export const brebMethod: BrebMethod = {
  kind: 'PAYIN',
  rail: 'BRE_B',
  keyType: 'QR_CODE',
  requires: [],
  ceilingInCents: 1_155_200_000,
};
export const keyMethod: BrebMethod = { ...brebMethod, keyType: 'SINGLE_USE' };
export const pseMethod: Method = {
  kind: 'PAYIN',
  rail: 'PSE',
  banks: [{ code: 'CO_BANCOLOMBIA', name: 'Bancolombia' }],
  requires: ['name', 'phone'],
};
export const linkMethod: Method = { kind: 'PAYMENT_LINK', rail: null, bank: null };

export const offer = (facts: Partial<Offer> = {}): Offer => ({
  version: 'o1',
  amountInCents: 5_000_000,
  currency: 'COP',
  description: 'Zapatos',
  merchant,
  methods: [brebMethod, pseMethod],
  hints: {},
  attempt: null,
  now: iso(NOON_MS),
  ...facts,
});

const base = {
  order: 'A-1042',
  reference: 'ref-1',
  amountInCents: 5_000_000,
  confirmedAmountInCents: null,
  currency: 'COP' as const,
  errorCode: null,
  createdAt: iso(NOON_MS),
  updatedAt: iso(NOON_MS),
  resultAt: null,
  expiresAt: null,
  late: false,
  stalled: false,
  merchant,
  description: 'Zapatos',
  settlement: { state: 'OPEN' as const, by: null, duplicate: false },
  version: 'v1',
  now: iso(NOON_MS),
  waited: false,
};

export const breb = (facts: Partial<BrebAttempt> = {}): BrebAttempt => ({
  ...base,
  id: 'breb-1',
  kind: 'PAYIN',
  rail: 'BRE_B',
  status: 'PROCESSING',
  sourceData: {
    keyType: 'QR_CODE',
    keyString: '@tienda123',
    qrString: null,
    qrText: null,
    checkoutUrl: null,
  },
  ...facts,
});

/** The code of `breb()`, for what is to be drawn. */
export const QR_TEXT = buildEmvQr({
  key: { kind: 'ALPHANUMERIC', value: '@tienda123' },
  amountInCents: 5_000_000,
  merchantName: 'Tienda',
  merchantCity: 'Bogota',
  transactionId: '1234567890',
});

export const BANK_URL = 'https://bank.example/pse?t=1';

export const pse = (facts: Partial<PseAttempt> = {}): PseAttempt => ({
  ...base,
  id: 'pse-1',
  kind: 'PAYIN',
  rail: 'PSE',
  status: 'PENDING',
  sourceData: { bank: 'CO_BANCOLOMBIA', bankName: 'Bancolombia', pseUrl: BANK_URL, cus: null },
  ...facts,
});

export const link = (facts: Partial<LinkAttempt> = {}): LinkAttempt => ({
  ...base,
  id: 'link-1',
  kind: 'PAYMENT_LINK',
  rail: null,
  status: 'PENDING',
  paymentLinkUrl: 'https://pay.example/l/1',
  ...facts,
});

/** The same attempt, paid in full, as a Full backend tells it. */
export const paid = <Kind extends Attempt>(attempt: Kind, facts: Partial<Attempt> = {}): Kind => ({
  ...attempt,
  status: attempt.kind === 'PAYIN' ? 'CONFIRMED' : 'COMPLETED',
  settlement: { state: 'PAID', by: attempt.id, duplicate: false },
  version: `${attempt.version}+paid`,
  ...facts,
});

/** A key that was paid with 30.000 of the 50.000 that the order costs. */
export const partlyPaid = paid(breb(), {
  confirmedAmountInCents: 3_000_000,
  settlement: {
    state: 'AMOUNT_DIFFERS',
    by: 'breb-1',
    duplicate: false,
    paidInCents: 3_000_000,
    orderAmountInCents: 5_000_000,
  },
});

export const problem = (code: Problem['code'], facts: Partial<Problem> = {}): Failure => ({
  kind: 'PROBLEM',
  problem: { code, status: 409, ...facts },
  retryAfterMs: null,
});
export const network: Failure = { kind: 'NETWORK', problem: null, retryAfterMs: null };

/** The screens of a phase; several phases may share one shape. */
type ScreenOf<Name extends Phase, Each = Screen> = Each extends { phase: infer Own }
  ? Name extends Own
    ? Each
    : never
  : never;

/** A checkout driven by sentences: feeds inputs, keeps the effects. */
export class Play {
  state: State = initialState;
  nowMs = NOON_MS;
  readonly effects: Effect[] = [];
  #keys = 0;

  do(...inputs: Input[]): this {
    for (const input of inputs) {
      const [state, effects] = transition(this.state, { ...input, atMs: this.nowMs });
      this.state = state;
      this.effects.push(...effects);
    }
    return this;
  }

  key(): string {
    return `key-${String(++this.#keys).padStart(16, '0')}`;
  }

  start(facts: Partial<Extract<Input, { type: 'start' }>> = {}): this {
    return this.do({ type: 'start', config, hint: null, returned: null, open: true, ...facts });
  }

  offered(offered: Offer = offer(), level: 'FULL' | 'BASIC' = 'FULL'): this {
    return this.do({ type: 'offer-loaded', run: this.state.run, offer: offered, level });
  }

  /** The offer that was asked for last could not be read. */
  unread(failure: Failure = network): this {
    return this.do({ type: 'offer-failed', run: this.state.run, failure });
  }

  choose(method: Method = brebMethod): this {
    return this.do({ type: 'choose', method, idempotencyKey: this.key() });
  }

  submitPse(): this {
    return this.do({
      type: 'submit',
      choice: { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
      idempotencyKey: this.key(),
    });
  }

  created(attempt: Attempt): this {
    return this.do({ type: 'created', idempotencyKey: this.screen('creating').idempotencyKey, attempt });
  }

  refused(failure: Failure): this {
    return this.do({
      type: 'create-failed',
      idempotencyKey: this.screen('creating').idempotencyKey,
      failure,
    });
  }

  arrived(attempt: Attempt): this {
    return this.do({ type: 'attempt', asked: attempt.id, attempt });
  }

  later(ms: number): this {
    this.nowMs += ms;
    return this.do({ type: 'tick' });
  }

  /** On the Bre-B screen with this attempt. */
  paying(attempt: BrebAttempt = breb()): this {
    return this.start().offered().choose().created(attempt);
  }

  /** At the bank with this attempt. */
  redirecting(attempt: PseAttempt = pse()): this {
    return this.start().offered().choose(pseMethod).submitPse().created(attempt);
  }

  /** A link of the hosted page was asked for. */
  linking(linkMode: Config['linkMode'] = 'SHOW'): this {
    return this.start({ config: { ...config, hosted: true, linkMode } })
      .offered(offer({ methods: [linkMethod] }))
      .choose(linkMethod);
  }

  get phase(): Phase {
    return this.state.screen.phase;
  }

  /** The screen, known to be the one named. */
  screen<Name extends Phase>(phase: Name): ScreenOf<Name> {
    const { screen } = this.state;
    if (screen.phase !== phase) throw new Error(`expected ${phase}, is ${screen.phase}`);
    return screen as ScreenOf<Name>;
  }

  of<Type extends Effect['type']>(type: Type): Extract<Effect, { type: Type }>[] {
    return this.effects.filter((effect) => effect.type === type) as Extract<Effect, { type: Type }>[];
  }

  last<Type extends Effect['type']>(type: Type): Extract<Effect, { type: Type }> {
    const found = this.of(type).at(-1);
    if (!found) throw new Error(`no ${type} effect`);
    return found;
  }

  /** Names of the DOM events so far. */
  get events(): string[] {
    return this.of('emit').map(({ event }) => event.type);
  }

  get watched(): string[] {
    return this.last('watch').targets.map(({ id }) => id);
  }
}
