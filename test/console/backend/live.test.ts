import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Live } from '../../../src/console/backend/live.js';
import { listen } from '../../../src/node.js';
import { manualClock } from '../../../src/sandbox.js';
import { settle } from '../../server/turns.js';
import { cleanup } from '../../support/cleanup.js';
import { openConsoleWorld, PAYOUT } from './world.js';

/** Open pages are notified of changes at once, and leave nothing behind when they go. */

/** The names of the events of a stream, one by one. */
function names(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next(): Promise<string | undefined> {
      for (;;) {
        const found = /event: (\w+)\n[^]*?\n\n/.exec(text);
        if (found) {
          text = text.slice(found.index + found[0].length);
          return found[1];
        }
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) return undefined;
        text += value;
      }
    },
    cancel: async () => reader?.cancel(),
  };
}

describe('the live stream', () => {
  it('tells of what one page changes, and that it is still there', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const answer = await visitor.ask('GET', '/live');
    assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
    const told = names(answer);

    await visitor.post('/payouts', PAYOUT);
    assert.equal(await told.next(), 'changed');

    // A silence of more than this tells a page that the connection is dead, whatever a proxy keeps open.
    await world.clock.advance(5_000, () => settle());
    assert.equal(await told.next(), 'beat');
    await told.cancel();
  });

  it('holds nothing once no page listens', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const streams = await Promise.all([visitor.ask('GET', '/live'), visitor.ask('GET', '/live')]);
    assert.equal(world.merchant.listeners, 2);
    for (const stream of streams) await stream.body?.cancel();
    assert.equal(world.merchant.listeners, 0);
  });

  it('has no timer once no page listens', async () => {
    const clock = manualClock();
    const live = new Live(clock);
    const { body } = live.open('one', new AbortController().signal);
    assert.notEqual(clock.nextDueAtMs(), undefined);
    await body?.cancel();
    assert.equal(clock.nextDueAtMs(), undefined);
  });

  it('ends with the session, with the backend, and with a reader that never reads', async (t) => {
    const world = await openConsoleWorld(t);
    const [one, other] = [await world.signIn(), await world.signIn()];
    const left = names(await one.ask('GET', '/live'));
    const kept = names(await other.ask('GET', '/live'));
    world.merchant.changed();
    assert.equal(await left.next(), 'changed');
    await one.ask('DELETE', '/session');
    assert.equal(await left.next(), undefined);
    assert.equal(world.merchant.listeners, 1);
    for (let each = 0; each < 200; each++) world.merchant.changed();
    assert.equal(world.merchant.listeners, 0);
    await kept.cancel();
    const last = names(await other.ask('GET', '/live'));
    world.merchant.close();
    assert.equal(await last.next(), undefined);
  });

  it('is let go when the connection breaks', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const server = await listen({ fetch: (request) => world.merchant.fetch(request) });
    cleanup(t, async () => {
      server.server.closeAllConnections();
      await server.close();
    });
    const abort = new AbortController();
    const told = names(
      await fetch(`${server.url}/console/api/live`, {
        headers: { cookie: visitor.cookie },
        signal: abort.signal,
      }),
    );
    world.merchant.changed();
    assert.equal(await told.next(), 'changed');
    assert.equal(world.merchant.listeners, 1);
    abort.abort();
    while (world.merchant.listeners > 0) await settle();
  });
});
