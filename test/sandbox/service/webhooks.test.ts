import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { DEFAULT_TIMINGS, HOURLY_RETRY_DELAYS_MS } from '../../../src/sandbox.js';
import { brebPayin, customer, first, HOUR_MS, MINUTE_MS, startSandbox } from '../harness.js';

describe('delivery of events', () => {
  test('a receiver that never acknowledges is tried eleven times, then given up', async () => {
    const service = startSandbox({ receive: () => new Response(null, { status: 503 }) });
    await service.post('/payins', brebPayin);
    const startMs = service.clock.now();
    await service.pass(24 * HOUR_MS);
    const delays = DEFAULT_TIMINGS.retryDelaysMs.reduce<number[]>(
      (times, delayMs) => [...times, (times.at(-1) ?? 0) + delayMs],
      [0],
    );
    assert.deepEqual(
      service.received.map(({ atMs }) => atMs - startMs),
      delays,
    );
    assert.equal(delays.length, 11);
    const delivery = first(service.engine.deliveries);
    assert.deepEqual([delivery.state, delivery.nextAttemptAtMs], ['GIVEN_UP', null]);
  });

  test('the schedule of the real service is hourly, ten times', async () => {
    const service = startSandbox({
      receive: () => new Response(null, { status: 500 }),
      timings: { retryDelaysMs: HOURLY_RETRY_DELAYS_MS },
    });
    await service.post('/payins', brebPayin);
    await service.pass(24 * HOUR_MS);
    const hours = service.received.map(({ atMs }) => (atMs - first(service.received).atMs) / HOUR_MS);
    assert.deepEqual(hours, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(first(service.engine.deliveries).attempts.at(-1)?.status, 500);
  });

  test('a receiver that hangs counts as a timeout and is tried again', async () => {
    let calls = 0;
    const service = startSandbox({
      receive: () => (calls++ === 0 ? new Promise<Response>(() => undefined) : new Response()),
    });
    await service.post('/payins', brebPayin);
    // Not `pass`, which would wait for the receiver.
    await service.clock.advance(10_000, turn);
    await service.pass(MINUTE_MS);
    const delivery = first(service.engine.deliveries);
    assert.deepEqual(
      delivery.attempts.map(({ status, error }) => [status, error]),
      [
        [null, 'timeout'],
        [200, null],
      ],
    );
  });

  test('a receiver that cannot be reached is tried again', async () => {
    let calls = 0;
    const service = startSandbox({
      receive: () => (calls++ === 0 ? Promise.reject(new TypeError('fetch failed')) : new Response()),
    });
    await service.post('/payins', brebPayin);
    await service.pass(MINUTE_MS);
    const delivery = first(service.engine.deliveries);
    assert.deepEqual([delivery.attempts[0]?.error, delivery.state], ['unreachable', 'DELIVERED']);
  });

  test('the body stays what it was when the event happened', async () => {
    let calls = 0;
    const service = startSandbox({
      receive: () => new Response(null, { status: calls++ === 0 ? 500 : 200 }),
    });
    const { id } = (await service.post('/payins', brebPayin)).body;
    await service.pass(0);
    service.engine.settle(id, 'CONFIRMED');
    await service.pass(MINUTE_MS);
    const processing = service.received.filter(({ event }) => event === 'payin.processing');
    assert.deepEqual(
      processing.map(({ body }) => body.data.status),
      ['PROCESSING', 'PROCESSING'],
    );
  });

  test('a delivery can be sent again by hand', async () => {
    const service = startSandbox();
    await service.post('/payins', brebPayin);
    await service.pass(0);
    service.engine.resend(first(service.engine.deliveries).id);
    await service.pass(0);
    assert.deepEqual(service.events(), ['payin.processing', 'payin.processing']);
    assert.throws(() => service.engine.resend('unknown'), /not_found/);
  });

  test('every configured address gets every event with its own header', async () => {
    const seen: string[] = [];
    const service = startSandbox({
      webhooks: [
        { url: 'http://one.test/hook', headerName: 'x-one', headerValue: 'secret-1' },
        { url: 'http://two.test/hook', headerName: 'x-two', headerValue: 'secret-2' },
      ],
      send(request) {
        const { host } = new URL(request.url);
        seen.push(`${host} ${request.headers.get('x-one')} ${request.headers.get('x-two')}`);
        return Promise.resolve(new Response());
      },
    });
    await service.post('/payins', brebPayin);
    await service.pass(0);
    assert.deepEqual(seen, ['one.test secret-1 null', 'two.test null secret-2']);
  });

  test('a redirect is no acknowledgement and is not followed', async () => {
    let redirect: RequestRedirect | undefined;
    const service = startSandbox({
      send(request) {
        redirect = request.redirect;
        return Promise.resolve(
          new Response(null, { status: 307, headers: { location: 'http://else.test/' } }),
        );
      },
    });
    await service.post('/payins', brebPayin);
    await service.pass(0);
    assert.equal(redirect, 'manual');
    assert.equal(first(service.engine.deliveries).state, 'WAITING');
  });

  test('an address that is removed gets no more attempts', async () => {
    const service = startSandbox({ receive: () => new Response(null, { status: 500 }) });
    await service.post('/payins', brebPayin);
    await service.pass(0);
    service.engine.setWebhooks([]);
    await service.pass(HOUR_MS);
    assert.equal(service.received.length, 1);
    assert.equal(first(service.engine.deliveries).state, 'GIVEN_UP');
  });

  test('an address or a header that cannot be used is refused at once', () => {
    const { engine } = startSandbox();
    const good = { url: 'http://m.test/', headerName: 'x-secret', headerValue: 'v' };
    for (const bad of [{ url: '/relative' }, { url: 'ftp://m.test/' }, { headerName: 'no good' }]) {
      assert.throws(() => engine.setWebhooks([{ ...good, ...bad }]), TypeError);
    }
  });

  test('events are logged even when there is no address to send them to', async () => {
    const service = startSandbox({ webhooks: [] });
    await service.post('/payins', { ...brebPayin, inlineCustomer: customer });
    await service.pass(5_000);
    assert.deepEqual(
      service.engine.events.map(({ event }) => event),
      ['payin.confirmed', 'payin.processing'],
    );
    assert.equal(service.engine.deliveries.length, 0);
  });
});

/** Lets promises that are ready run on. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
