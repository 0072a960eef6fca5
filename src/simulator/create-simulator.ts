import type { Attempt } from '../contract/backend.js';
import { createSandbox, SANDBOX_DEFAULTS, type Sandbox } from '../sandbox/sandbox.js';
import type { Clock } from '../service/clock.js';
import { idleClock } from './idle-clock.js';
import { SnapshotError } from '../sandbox/service/context.js';
import { OUTCOME_SCENARIOS, SCENARIO_NAMES, type ScenarioName } from '../sandbox/service/scenarios.js';
import { createCheckout } from '../server/checkout.js';
import { MemoryStore } from '../server/stores/memory-store.js';
import type { MerchantOrder, MethodOption } from '../server/options.js';
import { createServiceClient } from '../service/client.js';
import { createHttpTransport } from '../transport/http/http-transport.js';
import type { Transport } from '../transport/port.js';
import { announce, withdraw } from './announce.js';
import { recall, remember } from './saved-state.js';
import type { Simulator, SimulatorOptions } from './simulator.js';
import { skippingClock } from './skipping-clock.js';

/** Names that can never be resolved, so that nothing of a simulation leaves the page. */
const SERVICE_URL = 'https://service.simulator.invalid';
const SHOP_URL = 'https://shop.simulator.invalid';
const WEBHOOK_SECRET = 'simulated-webhook-secret';

const DEFAULT_ORDER: MerchantOrder = { amountInCents: 12_500_000, description: 'Pedido de prueba' };
const DEFAULT_METHODS: readonly MethodOption[] = [
  { rail: 'BRE_B', keyType: 'QR_CODE' },
  { rail: 'BRE_B', keyType: 'SINGLE_USE' },
  { rail: 'PSE' },
  { kind: 'PAYMENT_LINK' },
];
/** Lifetime of a key under the scenario `expired`, short enough to watch. */
const SHORT_LIFE_MS = 10_000;

/** Scenarios that must not end in a confirmation. */
const UNDECIDED: readonly ScenarioName[] = [
  'pse-url-never-set',
  'webhooks-forged',
  'webhooks-forged-with-secret',
];

/**
 * `element.transport = createSimulator({ scenario: 'confirmed' })`: a working checkout with no server at all, made of
 * the same code that runs on servers. For evaluation, documentation and tests: it takes no real payment, and says so
 * on the page.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const { seed, storage, order = DEFAULT_ORDER } = options;
  const remembered = recall(storage);
  const clock = skippingClock(options.clock ?? idleClock, remembered?.aheadMs);
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
    save();
  };
  let saving = false;
  const save = () => {
    if (!storage || saving) return;
    saving = true;
    queueMicrotask(() => {
      saving = false;
      remember(storage, { service: sandbox.snapshot(), orders: store.rows(), aheadMs: clock.aheadMs });
    });
  };

  const sandbox = openSandbox(options, clock, remembered?.service, (request) => checkout.fetch(request));
  const store = new MemoryStore(remembered?.orders, save);
  const checkout = createCheckout({
    service: createServiceClient({
      baseUrl: SERVICE_URL,
      apiKey: SANDBOX_DEFAULTS.apiKey,
      accessToken: SANDBOX_DEFAULTS.accessToken,
      fetch: (request) => sandbox.fetch(request),
    }),
    store,
    merchant: options.merchant ?? { name: 'Comercio de prueba', supportEmail: 'ayuda@comercio.example' },
    methods: options.methods ?? DEFAULT_METHODS,
    findOrder: () => order,
    // The page's console is the developer's own, and the panel shows what happens.
    log: () => undefined,
    // There is only one payer, so every order is theirs.
    authorize: () => true,
    onConfirmed: () => undefined,
    webhook: { header: SANDBOX_DEFAULTS.webhookHeaderName, secret: WEBHOOK_SECRET },
    publicUrl: SHOP_URL,
    allowedReturnUrls: [pageOrigin()],
    ...(options.scenario === 'expired' ? { payinLifetimeMs: { BRE_B: SHORT_LIFE_MS } } : {}),
    clock,
  });
  const stopWork = checkout.work();
  const stopListening = sandbox.engine.subscribe(tell);

  let online = true;
  let scenario: ScenarioName | null = null;
  let attempt: Attempt | null = null;
  let skipped = false;
  const reads = new Set<() => void>();
  const cuts = new Set<() => void>();

  /** Every call of the page goes through a network that can be down, or go down during the call. */
  const call = async (answer: () => Promise<Response>): Promise<Response> => {
    announce(simulator);
    if (!online) throw networkDown();
    let cut: () => void = () => undefined;
    const lost = new Promise<never>((_, reject) => (cut = () => reject(networkDown())));
    cuts.add(cut);
    try {
      return await Promise.race([answer(), lost]);
    } finally {
      cuts.delete(cut);
    }
  };
  const shop = createHttpTransport({
    backend: SHOP_URL,
    fetch: (input, init) => call(() => checkout.fetch(new Request(input, init))),
    now: () => clock.now(),
  });
  const seen = async (answer: Promise<Attempt>): Promise<Attempt> => {
    attempt = await answer;
    tell();
    return attempt;
  };

  /** A skip changes no payment, so the kit would hold its answer on. It answers a read that is aborted at once. */
  const read: Transport['read'] = async (target, callOptions) => {
    const { signal } = callOptions;
    signal.throwIfAborted();
    const asked = new AbortController();
    const hangUp = () => asked.abort();
    signal.addEventListener('abort', hangUp);
    reads.add(hangUp);
    const wait = skipped ? {} : callOptions;
    skipped = false;
    try {
      return await shop.read(target, { ...wait, signal: asked.signal });
    } finally {
      reads.delete(hangUp);
      signal.removeEventListener('abort', hangUp);
    }
  };

  const simulator: Simulator = {
    sandbox,
    checkout,
    offer: (token, callOptions) => shop.offer(token, callOptions),
    createPayin: (body, callOptions) => seen(shop.createPayin(body, callOptions)),
    createLink: (body, callOptions) => seen(shop.createLink(body, callOptions)),
    read: (target, callOptions) => seen(read(target, callOptions)),
    get attempt() {
      return attempt;
    },
    get scenario() {
      return scenario;
    },
    set scenario(name) {
      scenario = name;
      const on = name === null ? [] : withOutcome(name);
      for (const each of SCENARIO_NAMES) {
        if (sandbox.engine.applies(each) !== on.includes(each))
          sandbox.engine.setMishap(each, on.includes(each));
      }
    },
    get online() {
      return online;
    },
    set online(on) {
      online = on;
      if (!on) for (const cut of [...cuts]) cut();
      tell();
    },
    skip(durationMs) {
      skipped = reads.size === 0;
      clock.skip(durationMs);
      for (const hangUp of [...reads]) hangUp();
      tell();
    },
    owns: (url) => url.startsWith(`${SERVICE_URL}/`),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      withdraw(simulator);
      stopListening();
      listeners.clear();
      await stopWork();
      await checkout.close();
      sandbox.close();
    },
  };
  if (options.scenario) simulator.scenario = options.scenario;
  announce(simulator);
  return simulator;

  function openSandbox(
    { timings }: SimulatorOptions,
    clockOfAll: Clock,
    snapshot: unknown,
    send: (request: Request) => Promise<Response>,
  ): Sandbox {
    const settings = {
      publicUrl: SERVICE_URL,
      webhooks: [
        {
          url: `${SHOP_URL}/webhooks`,
          headerName: SANDBOX_DEFAULTS.webhookHeaderName,
          headerValue: WEBHOOK_SECRET,
        },
      ],
      send,
      clock: clockOfAll,
      // A document that is typed into an example decides nothing: a scenario or a button does.
      autoOutcome: 'never' as const,
      ...(timings && { timings }),
      ...(seed === undefined ? {} : { seed }),
    };
    try {
      return createSandbox(snapshot === undefined ? settings : { ...settings, snapshot });
    } catch (error) {
      // The snapshot is of another version of the package: start empty.
      if (error instanceof SnapshotError) return createSandbox(settings);
      throw error;
    }
  }
}

/** A scenario without an outcome of its own also confirms, so that every scenario runs to its end. */
function withOutcome(name: ScenarioName): readonly ScenarioName[] {
  return name in OUTCOME_SCENARIOS || UNDECIDED.includes(name) ? [name] : [name, 'confirmed'];
}

function networkDown(): TypeError {
  return new TypeError('The simulated network is down');
}

function pageOrigin(): string {
  const { location } = globalThis as { location?: Location };
  return location?.origin.startsWith('http') ? location.origin : 'http://localhost';
}
