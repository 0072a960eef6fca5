import assert from 'node:assert/strict';
import { test } from 'vitest';
import { inspect } from 'node:util';
import { signWebhook, verifyWebhook, WebhookError, type VerifyWebhookOptions } from '../../src/service.js';
import { LINK_ID, PAYIN_ID } from './fixtures.js';

const SECRET = { header: 'X-Shop-Hook', secret: 'hook_4f0a91c2' };
const CONFIRMED = {
  event: 'payin.confirmed',
  resource: 'payin',
  data: {
    id: PAYIN_ID,
    reference: 'order-1001',
    amount: 45_900,
    currency: 'COP',
    status: 'CONFIRMED',
    rail: 'BRE_B',
  },
};

function hook(body: BodyInit, headers: Record<string, string> = signWebhook(SECRET)): Request {
  return new Request('https://shop.example/webhooks', {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit);
}

async function refusal(request: Request, options: VerifyWebhookOptions = SECRET): Promise<WebhookError> {
  const error: unknown = await verifyWebhook(request, options).then(
    () => assert.fail('the webhook was expected to be refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WebhookError, String(error));
  return error;
}

test('a webhook is signed with the header as the service sends it', () => {
  assert.deepEqual(signWebhook(SECRET), {
    'content-type': 'application/json',
    'x-shop-hook': SECRET.secret,
  });
});

test('every documented event with the right header comes out with its own type', async () => {
  const names = ['processing', 'confirmed', 'canceled', 'declined'];
  for (const resource of ['payin', 'payout'] as const) {
    for (const name of names) {
      const body = JSON.stringify({ ...CONFIRMED, resource, event: `${resource}.${name}` });
      assert.equal((await verifyWebhook(hook(body), SECRET)).resource, resource);
    }
  }
  for (const status of ['completed', 'expired']) {
    const data = { paymentLinkId: LINK_ID, reference: 'order-1002', status: status.toUpperCase() };
    const body = JSON.stringify({ event: `paymentlink.${status}`, resource: 'paymentlink', data });
    assert.equal((await verifyWebhook(hook(body), SECRET)).resource, 'paymentlink');
  }
});

test('an event with an unknown name is typed as unknown, not an error', async () => {
  const body = JSON.stringify({ event: 'payin.reversed', resource: 'payin', data: { id: PAYIN_ID } });
  assert.deepEqual(await verifyWebhook(hook(body), SECRET), { resource: 'unknown', event: 'payin.reversed' });
});

test('a missing, wrong, doubled or differently cased header value is unauthorized, and the body stays unread', async () => {
  const body = JSON.stringify(CONFIRMED);
  for (const value of [
    undefined,
    '',
    'hook_4f0a91c',
    'hook_4f0a91c2x',
    'HOOK_4F0A91C2',
    'hook_4f0a91c2, hook_4f0a91c2',
  ]) {
    const request = hook(body, value === undefined ? {} : { [SECRET.header]: value });
    const error = await refusal(request);
    assert.deepEqual([error.name, error.reason, error.status], ['WebhookError', 'unauthorized', 401]);
    assert.equal(request.bodyUsed, false);
  }
});

test('both secrets are accepted while they are being changed, and only the new one after', async () => {
  const rotation = { ...SECRET, secret: 'hook_new', previousSecret: SECRET.secret };
  const withValue = (secret: string) => hook(JSON.stringify(CONFIRMED), signWebhook({ ...SECRET, secret }));
  assert.equal((await verifyWebhook(withValue(SECRET.secret), rotation)).resource, 'payin');
  assert.equal((await verifyWebhook(withValue('hook_new'), rotation)).resource, 'payin');
  assert.equal((await refusal(withValue('hook_other'), rotation)).reason, 'unauthorized');
  const after = { ...SECRET, secret: 'hook_new' };
  assert.equal((await refusal(withValue(SECRET.secret), after)).reason, 'unauthorized');
});

test('a body above the bound is refused while it arrives, whatever length it declares', async () => {
  let pulled = 0;
  const flood = new ReadableStream<Uint8Array>({
    pull(stream) {
      pulled++;
      stream.enqueue(new Uint8Array(1_024).fill(0x20));
    },
  });
  const declared = { ...signWebhook(SECRET), 'content-length': '1' };
  const error = await refusal(hook(flood, declared), { ...SECRET, maxBytes: 4_096 });
  assert.deepEqual([error.reason, error.status], ['too_large', 413]);
  assert.ok(pulled <= 8, `${pulled} chunks were read`);

  const exact = JSON.stringify(CONFIRMED);
  const maxBytes = new TextEncoder().encode(exact).length;
  assert.equal((await verifyWebhook(hook(exact), { ...SECRET, maxBytes })).resource, 'payin');
  assert.equal((await refusal(hook(exact), { ...SECRET, maxBytes: maxBytes - 1 })).reason, 'too_large');
});

test('a body that is no event is unreadable', async () => {
  const bodies: BodyInit[] = [
    '',
    '{',
    'null',
    '[]',
    '{}',
    '{"event":""}',
    JSON.stringify({ ...CONFIRMED, data: { id: PAYIN_ID } }),
    JSON.stringify({ ...CONFIRMED, event: 'payin.confirmed', resource: 'payout' }),
    JSON.stringify({ event: 'x'.repeat(65) }),
    new Uint8Array([0x22, 0xff, 0x22]),
  ];
  for (const body of bodies) {
    const error = await refusal(hook(body));
    assert.deepEqual([error.reason, error.status], ['unreadable', 400]);
  }
});

test('a secret that could never be sent, or an empty one, is the merchant’s mistake and is said so', async () => {
  for (const secret of ['', ' ', 'tail ', 'two\nlines', 'clavé']) {
    await assert.rejects(verifyWebhook(hook('{}', {}), { ...SECRET, secret }), TypeError);
    await assert.rejects(verifyWebhook(hook('{}', {}), { ...SECRET, previousSecret: secret }), TypeError);
    assert.throws(() => signWebhook({ ...SECRET, secret }), TypeError);
  }
  assert.throws(() => signWebhook({ ...SECRET, header: 'two words' }), TypeError);
  const spaced = { header: 'authorization', secret: 'Bearer hook_1' };
  const request = hook(JSON.stringify(CONFIRMED), signWebhook(spaced));
  assert.equal((await verifyWebhook(request, spaced)).resource, 'payin');
});

test('the error carries neither the secret nor the body', async () => {
  // JavaScript's own error quotes what is no JSON.
  for (const body of ['{"email":"ximena.q@correo.example"}', 'ximena.q@correo.example']) {
    const error = await refusal(hook(body));
    assert.doesNotMatch(`${inspect(error)}${JSON.stringify(error)}`, /hook_4f0a91c2|ximena/);
  }
});

test('an event is taken for its id and reference, whatever its amount, rail, source and dates look like', async () => {
  const odd = {
    ...CONFIRMED,
    data: { ...CONFIRMED.data, amount: '45.900,00', rail: 7, sourceData: 'none', createdAt: 'ayer' },
  };
  const event = await verifyWebhook(hook(JSON.stringify(odd)), SECRET);
  assert.ok(event.resource === 'payin');
  assert.deepEqual([event.data.id, event.data.reference], [PAYIN_ID, CONFIRMED.data.reference]);
});
