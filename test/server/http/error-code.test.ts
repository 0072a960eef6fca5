import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { openWorld, type World } from '../world.js';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

test('personal data in the service’s error code reaches neither log, history, hook nor browser', async () => {
  const personal = 'ANA_PEREZ 1020304050 ana@correo.example';
  const opened = (world = await openWorld({
    network: async (request, next) => {
      const answer = await next(request);
      const text = (await answer.text()).replaceAll('DECLINED_BY_BANK', personal);
      return new Response(text, answer);
    },
  }));
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'DECLINED');
  await opened.pass(60_000);
  const seen = (await opened.get(`/payins/${attempt.id}`)).attempt;
  assert.deepEqual([seen.status, seen.errorCode], ['DECLINED', `unknown_${personal.length}`]);
  const history = await opened.checkouts[0]?.orders.show('order-1');
  const everything = JSON.stringify([seen, opened.logged, opened.told, history]);
  for (const part of personal.split(' ')) assert.ok(!everything.includes(part), part);
});
