/** Each call of the backend contract with a request and its answer, as the kit gave it in front of the sandbox. */
import { createSandbox, manualClock, SANDBOX_DEFAULTS } from '../../src/sandbox.js';
import { createCheckout, memoryStore } from '../../src/server.js';
import { createServiceClient } from '../../src/service.js';

const SHOP = 'https://shop.example';
const SERVICE = 'https://service.example';

interface Sent {
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The kit and the sandbox in one process, with one clock that stands still. */
function openShop() {
  const clock = manualClock();
  const sandbox = createSandbox({
    publicUrl: SERVICE,
    seed: 1,
    clock,
    autoOutcome: 'never',
    webhooks: [
      {
        url: `${SHOP}/checkout/webhooks`,
        headerName: SANDBOX_DEFAULTS.webhookHeaderName,
        headerValue: SANDBOX_DEFAULTS.webhookHeaderValue,
      },
    ],
    send: (request) => checkout.fetch(request),
  });
  const checkout = createCheckout({
    service: createServiceClient({
      baseUrl: SERVICE,
      apiKey: SANDBOX_DEFAULTS.apiKey,
      accessToken: SANDBOX_DEFAULTS.accessToken,
      fetch: (request) => sandbox.fetch(request),
    }),
    store: memoryStore(),
    merchant: { name: 'Café Andino', taxId: '900123456-8', supportEmail: 'ayuda@cafe.example' },
    methods: [
      { rail: 'BRE_B', keyType: 'QR_CODE' },
      { rail: 'PSE', banks: [{ code: 'CO_BANCOLOMBIA', name: 'Bancolombia' }] },
      { kind: 'PAYMENT_LINK' },
    ],
    findOrder: () => ({ amountInCents: 4_290_000, description: 'Café de origen, 500 g' }),
    authorize: () => true,
    log: () => undefined,
    onConfirmed: () => undefined,
    webhook: { header: SANDBOX_DEFAULTS.webhookHeaderName, secret: SANDBOX_DEFAULTS.webhookHeaderValue },
    publicUrl: `${SHOP}/checkout`,
    basePath: '/checkout',
    clock,
  });
  return {
    sandbox,
    /** Lets the sandbox's events arrive and the kit act on them. */
    pass: (durationMs: number) =>
      clock.advance(durationMs, async () => {
        await sandbox.engine.idle();
        await checkout.idle();
      }),
    /** What the kit does by itself in the background. */
    work: () => checkout.tick(),
    fetch: (request: Request) => checkout.fetch(request),
    async close() {
      await checkout.close();
      sandbox.close();
    },
  };
}

export interface Example {
  /** As the document writes it, `/payins/{id}`. */
  readonly path: string;
  readonly method: 'get' | 'post';
  readonly title: string;
  readonly request: object | undefined;
  readonly status: number;
  readonly contentType: string;
  readonly answer: object;
}

export async function contractExamples(): Promise<Example[]> {
  const shop = openShop();
  const names = new Map<string, string>();
  const examples: Example[] = [];
  let keys = 0;
  const newKey = () => `one-click-of-a-payer-${++keys}`;

  /** Asks, notes both sides, and gives the answer. */
  async function show(title: string, path: string, { method, headers = {}, body }: Sent = {}) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await shop.fetch(
      new Request(`${SHOP}/checkout${path}`, {
        method: method ?? 'GET',
        headers: { ...type, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await answer.text();
    const given = (text === '' ? {} : JSON.parse(text)) as { id?: string; version?: string };
    examples.push({
      title,
      path: path.replace(/^\/orders\/.*/, '/orders/{order}').replace(/^(\/pay[a-z-]+)\/.*/, '$1/{id}'),
      method: method === 'POST' ? 'post' : 'get',
      request: body && stable(body),
      status: answer.status,
      contentType: answer.headers.get('content-type')?.split(';')[0] ?? '',
      answer: stable(given),
    });
    return given;
  }

  const order = 'ORDER_TOKEN';
  const start = { order, rail: 'BRE_B', breb: { keyType: 'QR_CODE' }, callbackUrl: `${SHOP}/pagar` };
  const post = (body: object, key = newKey()): Sent => ({
    method: 'POST',
    headers: { 'idempotency-key': key },
    body,
  });

  await show('The offer', `/orders/${order}`);
  const key = newKey();
  const payin = await show('A Bre-B payin', '/payins', post(start, key));
  await show('The same click again: the same payin', '/payins', post(start, key));
  await show(
    'The same key for something else: refused',
    '/payins',
    post({ ...start, replaces: payin.id }, key),
  );
  await show('A field that is wrong', '/payins', post({ ...start, breb: { keyType: 'PHONE' } }));
  const [made] = shop.sandbox.engine.payins;
  if (made !== undefined) shop.sandbox.engine.settle(made.id, 'CONFIRMED');
  await shop.pass(2_000);
  const [event] = shop.sandbox.engine.events;
  const body = JSON.parse(event?.body ?? '{}') as object;
  const secret = { [SANDBOX_DEFAULTS.webhookHeaderName]: SANDBOX_DEFAULTS.webhookHeaderValue };
  await show('An event of the service', '/webhooks', { method: 'POST', headers: secret, body });
  await show('The same without its secret: refused', '/webhooks', { method: 'POST', body });
  const version = encodeURIComponent(payin.version ?? '');
  await show('The payin once it is paid', `/payins/${payin.id}?after=${version}&wait=25`);
  await show('Another click on a paid order: refused', '/payins', post(start));

  const other = 'ANOTHER_TOKEN';
  const customer = { name: 'Ana Gómez', idType: 'CO_CC', idNumber: '1020304050' };
  const pse = {
    ...start,
    order: other,
    rail: 'PSE',
    breb: undefined,
    pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
    inlineCustomer: { ...customer, phone: '+573001234567', email: 'ana@correo.example' },
  };
  const bank = await show('A PSE payin', '/payins', post(pse));
  await shop.pass(3_000);
  await shop.work();
  await show('The same, once the bank’s address is there', `/payins/${bank.id}`);

  const link = { order: 'A_THIRD_TOKEN', callbackUrl: `${SHOP}/pagar` };
  const made2 = await show('A payment link', '/payment-links', post(link));
  await show('How the link stands', `/payment-links/${made2.id}`);
  await show('A payin that nobody knows', '/payins/an-id-that-nobody-gave-out');
  await shop.close();
  return examples;

  /** Random ids are numbered in the order in which they appear, so that the document is the same each time. */
  function stable(value: object): object {
    const text = JSON.stringify(value)
      .replaceAll(/data:image\/png;base64,[A-Za-z0-9+/=]+/g, 'data:image/png;base64,…')
      .replaceAll(/[\w-]{22,}(?!":)/g, (id) => {
        // Words of the contract and of this script.
        if (/^[a-z_-]+\d?$/.test(id)) return id;
        if (!names.has(id)) names.set(id, `ID_${names.size + 1}`);
        return names.get(id) ?? id;
      });
    return JSON.parse(text) as object;
  }
}
