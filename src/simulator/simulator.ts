import { createSandbox, SANDBOX_DEFAULTS, type Sandbox } from '../sandbox/app.js';
import type { Clock } from '../sandbox/clock.js';
import type { ScenarioName } from '../sandbox/scenarios.js';
import { type Checkout, createCheckout } from '../server/checkout.js';
import { memoryStore } from '../server/memory-store.js';
import type { MerchantOption, MerchantOrder, MethodOption } from '../server/options.js';
import { createServiceClient } from '../service/client.js';
import { createHttpTransport } from '../transport/http-transport.js';
import type { Transport } from '../transport/port.js';

export interface SimulatorOptions {
  /** What happens to payments; the names are the sandbox's. Without one, the panel's buttons decide. */
  readonly scenario?: ScenarioName;
  readonly merchant?: MerchantOption;
  /** What is being paid. */
  readonly order?: MerchantOrder;
  readonly methods?: readonly MethodOption[];
  /** Same seed, same keys. */
  readonly seed?: number;
  readonly clock?: Clock;
}

/** A whole checkout inside the page: the merchant's backend and the payment service, wired to each other. */
export interface Simulator extends Transport {
  readonly sandbox: Sandbox;
  readonly checkout: Checkout;
  /** False plays a network that is down: every call fails until it is true again. */
  online: boolean;
  /** The address of a page that only exists here, such as the bank's. */
  owns(url: string): boolean;
  /** Ends timers and background work. */
  close(): Promise<void>;
}

/** Names that can never be resolved, so that nothing of a simulation leaves the page. */
const SERVICE_URL = 'https://service.simulator.invalid';
const SHOP_URL = 'https://shop.simulator.invalid';
const WEBHOOK_SECRET = 'simulated-webhook-secret';

const DEFAULT_ORDER: MerchantOrder = { amountInCents: 12_500_000, description: 'Pedido de prueba' };
const DEFAULT_METHODS: readonly MethodOption[] = [
  { rail: 'BRE_B', keyType: 'QR_CODE' },
  { rail: 'BRE_B', keyType: 'SINGLE_USE' },
  { rail: 'PSE' },
];

/**
 * `element.transport = createSimulator({ scenario: 'confirmed' })`: a working checkout with no server at all, made of
 * the same code that runs on servers. For evaluation, documentation and tests; it takes no real payment.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const { clock, seed, scenario, order = DEFAULT_ORDER } = options;
  const sandbox = createSandbox({
    publicUrl: SERVICE_URL,
    webhooks: [
      {
        url: `${SHOP_URL}/webhooks`,
        headerName: SANDBOX_DEFAULTS.webhookHeaderName,
        headerValue: WEBHOOK_SECRET,
      },
    ],
    send: (request) => checkout.fetch(request),
    ...(clock && { clock }),
    ...(seed === undefined ? {} : { seed }),
  });
  const checkout = createCheckout({
    service: createServiceClient({
      baseUrl: SERVICE_URL,
      apiKey: SANDBOX_DEFAULTS.apiKey,
      accessToken: SANDBOX_DEFAULTS.accessToken,
      fetch: (request) => sandbox.fetch(request),
    }),
    store: memoryStore(),
    merchant: options.merchant ?? { name: 'Comercio de prueba', supportEmail: 'ayuda@comercio.example' },
    methods: options.methods ?? DEFAULT_METHODS,
    findOrder: () => order,
    // One payer, one page: there is nobody to keep an order from.
    authorize: () => true,
    onConfirmed: () => undefined,
    webhook: { header: SANDBOX_DEFAULTS.webhookHeaderName, secret: WEBHOOK_SECRET },
    publicUrl: SHOP_URL,
    allowedReturnUrls: [pageOrigin()],
    ...(clock && { clock }),
  });
  const stopWork = checkout.work();
  if (scenario) sandbox.engine.setMishap(scenario, true);

  const simulator = {
    sandbox,
    checkout,
    online: true,
    owns: (url: string) => url.startsWith(`${SERVICE_URL}/`),
    async close() {
      await stopWork();
      await checkout.close();
      sandbox.close();
    },
  };
  const transport = createHttpTransport({
    backend: SHOP_URL,
    fetch: async (input, init) => {
      if (!simulator.online) throw new TypeError('The simulated network is down');
      return checkout.fetch(new Request(input, init));
    },
    ...(clock && { now: () => clock.now() }),
  });
  return Object.assign(simulator, transport);
}

function pageOrigin(): string {
  const { location } = globalThis as { location?: Location };
  return location?.origin.startsWith('http') ? location.origin : 'http://localhost';
}
