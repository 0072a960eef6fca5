import { createSandbox, type Sandbox } from '../../../src/sandbox.js';
import {
  type Checkout,
  memoryStore,
  type OrderWrite,
  type RowFacts,
  type Store,
} from '../../../src/server.js';
import { createKit, eventsTo, sandboxClient } from '../../support/kit.js';

const SHOP = 'https://shop.test';
const ENOUGH = 10_000_000;

/** A shop with its service in the same process: what is measured is the kit and its store. */
export interface Shop {
  readonly checkout: Checkout;
  readonly sandbox: Sandbox;
  /** Requests that the service has received. */
  readonly serviceRequests: number;
  /** Begins to pay an order; the attempt's id. */
  create(order: string): Promise<string>;
  /** The service says that everything open is paid, and the kit has settled it. */
  settleAll(): Promise<void>;
  read(attempt: string): Promise<void>;
}

export function openShop(store: Store): Shop {
  let serviceRequests = 0;
  let confirmations = 0;
  const sandbox = createSandbox({
    autoOutcome: 'never',
    webhooks: eventsTo(SHOP),
    async send(request) {
      const isConfirmation = (await request.clone().text()).includes('"payin.confirmed"');
      const response = await checkout.fetch(request);
      if (isConfirmation) confirmations += 1;
      return response;
    },
  });
  const checkout = createKit({
    service: sandboxClient({
      fetch(request) {
        serviceRequests += 1;
        return sandbox.fetch(request);
      },
    }),
    store,
    methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }],
    findOrder: () => ({ amountInCents: 4_990_000 }),
    publicUrl: SHOP,
    basePath: '',
    rateLimits: {
      createsPerOrder: ENOUGH,
      createsPerClient: ENOUGH,
      createsOverall: ENOUGH,
      readsPerAttempt: ENOUGH,
    },
    serviceReadsPerSecond: 100_000,
    log: () => {},
  });
  return {
    checkout,
    sandbox,
    get serviceRequests() {
      return serviceRequests;
    },
    async create(order) {
      const body = JSON.stringify({
        order: await checkout.orderToken(order),
        rail: 'BRE_B',
        breb: { keyType: 'SINGLE_USE' },
        callbackUrl: `${SHOP}/gracias`,
      });
      const headers = {
        'content-type': 'application/json',
        origin: SHOP,
        'idempotency-key': `try-of-${order}`,
      };
      const response = await checkout.fetch(new Request(`${SHOP}/payins`, { method: 'POST', headers, body }));
      if (response.status !== 201) throw new Error(`A payment was answered ${response.status}`);
      return ((await response.json()) as { id: string }).id;
    },
    async settleAll() {
      const open = sandbox.engine.payins.filter(({ status }) => status !== 'CONFIRMED');
      const until = confirmations + open.length;
      for (const { id } of open) sandbox.engine.settle(id, 'CONFIRMED');
      // real time: the service delivers when it delivers
      while (confirmations < until) await new Promise((resolve) => setTimeout(resolve, 1));
      await checkout.idle();
      // What is left is the merchant's hook.
      await checkout.tick();
    },
    async read(attempt) {
      const response = await checkout.fetch(new Request(`${SHOP}/payins/${attempt}`));
      if (response.status !== 200) throw new Error(`A read was answered ${response.status}`);
      await response.arrayBuffer();
    },
  };
}

/** A settled order as the kit writes it, to be copied. */
export interface Template {
  /** As the store knows it. */
  readonly order: string;
  readonly attempt: string;
  readonly body: string;
  readonly facts: string;
  readonly keys: readonly string[];
  readonly at: number;
}

type Written = OrderWrite & { readonly order: string };

/** Pays one order on a store that remembers what was written. */
export async function makeTemplate(): Promise<Template> {
  const writes: Written[] = [];
  const shop = openShop(remembering(memoryStore(), writes));
  const attempt = await shop.create(TEMPLATE_ORDER);
  await shop.settleAll();
  const last = writes.at(-1);
  if (last?.dueAt !== null) throw new Error('The order to copy was not settled');
  shop.sandbox.close();
  return {
    order: last.order,
    attempt,
    body: JSON.stringify(last.body),
    facts: JSON.stringify(writes.findLast(({ facts }) => facts?.lines !== undefined)?.facts),
    keys: writes.flatMap(({ addKeys }) => addKeys),
    at: last.at,
  };
}

const TEMPLATE_ORDER = 'order-to-copy';

function remembering(store: Store, writes: Written[]): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'update') {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      }
      const update: Store['update'] = (id, decide) =>
        target.update(id, (row) => {
          const decision = decide(row);
          if (decision.write !== undefined) writes.push({ order: id, ...decision.write });
          return decision;
        });
      return update;
    },
  });
}

/** The attempt of the copy with this number. */
export function copiedAttempt({ attempt }: Template, index: number): string {
  return renamed(attempt, attempt, index);
}

/** Writes copies from one number up to another, each an order of its own with all its keys. */
export async function copyOrders(store: Store, template: Template, from: number, to: number): Promise<void> {
  const ids = [...new Set(template.keys.map((key) => key.replace(/^.*:/, '')))];
  const rename = (text: string, index: number) =>
    ids.reduce((changed, id) => renamed(changed, id, index), text);
  let next = from;
  const copy = async (): Promise<void> => {
    for (let index = next++; index < to; index = next++) {
      const order = `${template.order}-${index}`;
      const body: unknown = JSON.parse(
        rename(template.body, index).replaceAll(`"${TEMPLATE_ORDER}"`, `"${TEMPLATE_ORDER}-${index}"`),
      );
      const facts = JSON.parse(rename(template.facts, index)) as RowFacts;
      const addKeys = template.keys.map((key) => rename(key, index));
      await store.update(order, () => ({
        result: undefined,
        write: { body, dueAt: null, facts, addKeys, at: template.at, wake: false },
      }));
    }
  };
  await Promise.all(Array.from({ length: 48 }, copy));
}

/** The same length as before, with the number in place of its last characters. */
function renamed(text: string, id: string, index: number): string {
  const digits = index.toString(36).padStart(6, '0');
  return text.replaceAll(id, `${id.slice(0, -digits.length)}${digits}`);
}
