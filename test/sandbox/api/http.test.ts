import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { brebPayin, startSandbox, without } from '../harness.js';

const KEY = { 'x-api-key': 'sandbox-api-key' };
const JSON_TYPE = { ...KEY, 'content-type': 'application/json' };

describe('bodies', () => {
  const post = (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
    startSandbox().send('/payins', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);

  test('that are not JSON objects get malformed_json', async () => {
    for (const body of ['', '{', 'null', '[]', '"x"', '7', Uint8Array.of(0x7b, 0xff, 0x7d)]) {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_json'], String(body));
    }
  });

  test('of another content type get unsupported_media_type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json5', '']) {
      const answer = await post('{}', { ...KEY, 'content-type': type });
      assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported_media_type'], type);
    }
    assert.equal(
      (await post('{}', { ...KEY, 'content-type': 'Application/JSON; charset=utf-8' })).status,
      400,
    );
  });

  test('past 64 KiB get payload_too_large, whatever length they declare, and are not read to their end', async () => {
    const large = await post(JSON.stringify({ ...brebPayin, note: 'x'.repeat(70_000) }));
    assert.deepEqual([large.status, large.body.code], [413, 'payload_too_large']);
    const declared = { ...JSON_TYPE, 'content-length': '2' };
    assert.equal((await post(JSON.stringify({ note: 'x'.repeat(70_000) }), declared)).status, 413);
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(8_192).fill(0x20));
      },
      cancel() {
        cancelled = true;
      },
    });
    assert.equal((await post(endless)).status, 413);
    assert.ok(pulled < 20 && cancelled);
  });

  test('whose sender breaks off get malformed_json', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"rail":'));
        controller.error(new Error('gone'));
      },
    });
    assert.equal((await post(broken)).body.code, 'malformed_json');
  });

  test('with prototype keys pollute nothing and stand for nothing', async () => {
    const text = JSON.stringify(brebPayin).replace('{', '{"__proto__":{"polluted":true,"rail":"PSE"},');
    const { send, engine } = startSandbox();
    const answer = await send('/payins', { method: 'POST', headers: JSON_TYPE, body: text });
    assert.equal(answer.status, 201);
    assert.equal(engine.payins[0]?.source.rail, 'BRE_B');
    assert.equal(Reflect.has({}, 'polluted'), false);
    const inherited = JSON.stringify(without(brebPayin, 'rail')).replace(
      '{',
      '{"__proto__":{"rail":"BRE_B"},',
    );
    const refused = await send('/payins', { method: 'POST', headers: JSON_TYPE, body: inherited });
    assert.deepEqual([refused.status, refused.body.errors], [400, [{ field: 'rail', code: 'required' }]]);
  });
});

describe('answers', () => {
  test('each carries its own request id, and errors repeat it', async () => {
    const { get } = startSandbox();
    const [one, two] = [await get('/payins/x'), await get('/payins/x')];
    assert.match(one.headers.get('x-request-id') ?? '', /^req-\w{20}$/);
    assert.equal(one.body.requestId, one.headers.get('x-request-id'));
    assert.notEqual(one.body.requestId, two.body.requestId);
  });

  test('are never kept by a cache', async () => {
    const { get } = startSandbox();
    for (const path of ['/payins', '/payins/x', '/nothing']) {
      assert.equal((await get(path)).headers.get('cache-control'), 'no-store');
    }
  });

  test('never repeat what was sent in an error', async () => {
    const { post, get } = startSandbox();
    const marker = 'very-personal-text';
    const refused = await post('/payins', { ...brebPayin, rail: marker, reference: 7, [marker]: marker });
    assert.equal(JSON.stringify(refused.body).includes(marker), false);
    assert.equal(JSON.stringify((await get(`/${marker}`)).body).includes(marker), false);
  });

  test('HEAD is GET without a body; other methods get 405 with Allow', async () => {
    const { send } = startSandbox();
    assert.equal((await send('/payins', { method: 'HEAD', headers: KEY })).status, 200);
    for (const [path, allow] of [
      ['/payins', 'GET, POST'],
      ['/payins/x', 'GET'],
      ['/payouts', 'POST'],
      ['/breb/keys/x', 'GET'],
      ['/payment-links', 'POST'],
      ['/payment-links/x', 'GET'],
    ] as const) {
      const answer = await send(path, { method: 'PATCH' });
      assert.deepEqual(
        [answer.status, answer.body.code, answer.headers.get('allow')],
        [405, 'method_not_allowed', allow],
      );
    }
  });

  test('bad paths get 404, not a crash', async () => {
    const { get } = startSandbox();
    for (const path of [
      '/payins/%E0%A4%A',
      '/payins/%00',
      '//',
      '/payins/../../x',
      '/PAYINS',
      '/__proto__',
    ]) {
      assert.equal((await get(path)).status, 404, path);
    }
  });
});

test('an error has one request id, in its body and its header, for the path /* too', async () => {
  const { sandbox } = startSandbox();
  for (const path of ['/nothing', '/*']) {
    const answer = await sandbox.fetch(new Request(`http://sandbox.example${path}`));
    const { requestId } = (await answer.json()) as { requestId: string };
    assert.equal(requestId, answer.headers.get('x-request-id'), path);
  }
});
