import assert from 'node:assert/strict';
import { link, payout, startSandbox } from '../harness.js';

/** What the service made, and what it refused. */

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export async function madePayout(body: object = payout) {
  const service = startSandbox();
  await service.get('/breb/keys/@PROVEEDOR1');
  const answer = await service.post('/payouts', body);
  assert.equal(answer.status, 201);
  return { ...service, answer, payout: answer.body };
}

export async function madeLink(body: object = link) {
  const service = startSandbox();
  const answer = await service.post('/payment-links', body);
  assert.equal(answer.status, 201);
  const read = async () => (await service.get(`/payment-links/${answer.body.paymentLinkId}`)).body;
  return { ...service, answer, link: answer.body, read };
}
