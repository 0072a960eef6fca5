import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import { seedOr, sizeOr } from '../support/torture.js';
import { target, NAME, MINUTE_MS, type Planted, World, type Page } from './tabs-world.js';

/** Messages and moves of tabs, and how many there are in a run on average. */
const MOVES = sizeOr(900, 10_000);
const MOVES_IN_RUN = 15;
const RUNS = Math.ceil(MOVES / MOVES_IN_RUN);
const SEED = seedOr(Date.now() % 1_000_000);

describe('several tabs on one payin', () => {
  it('read as often as one', async () => {
    const world = new World();
    const pages = [world.open(), world.open(), world.open()];
    for (const page of pages.slice(0, 2)) page.hide();
    await world.clock.pass(15 * MINUTE_MS);
    assert.ok(world.requests <= 36 + pages.length, String(world.requests));
    assert.deepEqual(
      pages.map(({ waiting }) => waiting),
      [0, 0, 1],
    );
  });

  it('all learn of news at once', async () => {
    const world = new World();
    const pages = [world.open(), world.open(), world.open()];
    pages[0]!.hide();
    await world.clock.pass(10 * MINUTE_MS + 7_000);
    world.change('v2');
    await world.clock.pass(0);
    assert.deepEqual(
      pages.map(({ received }) => received.at(-1)),
      ['v2', 'v2', 'v2'],
    );
  });

  it('replace a leader that closes or dies at once', async () => {
    for (const leave of [(page: Page) => page.watcher.stop(), (page: Page) => page.die()]) {
      const world = new World();
      const [first, second] = [world.open(), world.open()];
      await world.clock.pass(MINUTE_MS);
      assert.deepEqual([first.waiting, second.waiting], [0, 1]);
      leave(second);
      await world.clock.pass(0);
      assert.equal(first.tabs.leads(), true);
      assert.equal(first.waiting, 1);
    }
  });

  it('learn from a new leader what it read before it led', async () => {
    const world = new World();
    const [next, other, leader] = [world.open(), world.open(), world.open()];
    await world.clock.pass(MINUTE_MS);
    next.hide();
    // The backend has news that do not end the leader's held read.
    world.version = 'v2';
    next.watcher.check(target);
    await world.clock.pass(0);
    assert.deepEqual([next.received.at(-1), other.received.at(-1)], ['v2', 'v1']);
    leader.die();
    await world.clock.pass(0);
    assert.equal(next.tabs.leads(), true);
    assert.equal(other.received.at(-1), 'v2');
  });

  it('replace a leader that falls asleep, and take it back when it is seen again', async () => {
    const world = new World();
    const [first, second] = [world.open(), world.open()];
    await world.clock.pass(MINUTE_MS);
    second.sleep();
    await world.clock.pass(0);
    assert.deepEqual([first.waiting, second.waiting], [1, 0]);
    await world.clock.pass(MINUTE_MS);
    const { calls } = second;
    second.wake();
    await world.clock.pass(1_000);
    assert.equal(second.tabs.leads(), true);
    assert.deepEqual([first.waiting, second.waiting], [0, 1]);
    assert.equal(second.calls, calls + 2, 'one that asks at once, one that waits');
  });

  it('let the one that is looked at lead, not the one that came first', async () => {
    const world = new World();
    const first = world.open();
    await world.clock.pass(MINUTE_MS);
    first.hide();
    const second = world.open();
    await world.clock.pass(MINUTE_MS);
    second.hide();
    first.show();
    await world.clock.pass(1_000);
    assert.deepEqual([first.tabs.leads(), second.tabs.leads()], [true, false]);
    assert.deepEqual([first.waiting, second.waiting], [1, 0]);
  });

  it('do not wait for a leader in a hidden tab', async () => {
    const world = new World();
    const [first, second] = [world.open(), world.open()];
    await world.clock.pass(5_000);
    // Beside each other on the screen until the leader is minimised; its held read ends, and the next is a minute off.
    second.hide();
    await world.clock.pass(31_000 + 25_000);
    assert.equal(first.tabs.leads(), true);
    world.change('v2');
    await world.clock.pass(0);
    assert.equal(first.received.at(-1), 'v2');
  });

  it('do not wait for a leader that sends nothing', async () => {
    const world = new World();
    const first = world.open();
    await world.clock.pass(0);
    world.tabs
      .page()
      .join(NAME, { lead: () => {}, receive: () => {} })
      .take();
    await world.clock.pass(0);
    assert.equal(first.tabs.leads(), false);
    await world.clock.pass(30_000);
    assert.equal(first.tabs.leads(), true);
    assert.equal(first.waiting, 0);
    await world.clock.pass(1_000);
    assert.equal(first.waiting, 1);
  });

  it('answer what the payer asks in one that does not lead, without waiting for news', async () => {
    const world = new World();
    const [first] = [world.open(), world.open()];
    await world.clock.pass(MINUTE_MS);
    const before = first.received.length;
    first.watcher.check(target);
    await world.clock.pass(0);
    assert.equal(first.received.length, before + 1);
    assert.equal(first.tabs.leads(), true);
  });

  it('answer what the payer asked in one while another takes the lead', async () => {
    const world = new World();
    const first = world.open();
    await world.clock.pass(MINUTE_MS);
    const before = first.received.length;
    first.watcher.check(target);
    world.open();
    await world.clock.pass(1_000);
    assert.equal(first.received.length, before + 1);
    assert.equal(first.tabs.leads(), false);
  });

  it('ask the backend when another tab says something, and believe nothing else', async () => {
    const world = new World();
    const [first] = [world.open(), world.open()];
    await world.clock.pass(5_000);
    const { calls } = first;
    const received = [...first.received];
    for (const said of [null, 7, {}, { version: 'v9', status: 'CONFIRMED' }, ['v9'], 'v1']) {
      world.tabs.forge(NAME, said);
    }
    world.tabs.forge('pay-checkout breb-2', 'v9');
    await world.clock.pass(0);
    assert.equal(first.calls, calls);
    world.tabs.forge(NAME, 'v9');
    await world.clock.pass(0);
    assert.equal(first.calls, calls + 1);
    assert.deepEqual(first.received, [...received, 'v1']);
  });

  it('keep to a call a second, however many messages come', async () => {
    const world = new World();
    const [first] = [world.open(), world.open()];
    await world.clock.pass(5_000);
    const { calls } = first;
    for (let said = 0; said < 100; said++) {
      world.tabs.forge(NAME, `v${said + 100}`);
      await world.clock.pass(100);
    }
    assert.equal(first.calls - calls, 11);
  });

  it('read at once in a hidden tab what it knows nothing of', async () => {
    const world = new World();
    world.open();
    const hidden = world.open({ hidden: true });
    await world.clock.pass(0);
    assert.equal(hidden.calls, 0, 'another tab may be reading what it knows');
    hidden.watcher.watch([{ ...target, id: 'breb-2', version: null }]);
    await world.clock.pass(0);
    assert.equal(hidden.calls, 1);
  });

  it('do not let a hidden tab take the lead', async () => {
    const world = new World();
    const [visible, hidden] = [world.open(), world.open({ hidden: true })];
    const other = { ...target, id: 'breb-2' };
    visible.watcher.watch([{ ...other, version: world.version }]);
    await world.clock.pass(0);
    hidden.watcher.watch([{ ...other, version: null }]);
    await world.clock.pass(2_000);
    assert.deepEqual([visible.waiting, hidden.waiting], [1, 0]);
  });

  it('bring news to a hidden tab at once, and nothing else more than once a minute', async () => {
    const world = new World();
    const hidden = world.open();
    await world.clock.pass(2_000);
    hidden.hide();
    world.open();
    await world.clock.pass(2_000);
    const { calls } = hidden;
    world.change('v2');
    await world.clock.pass(0);
    assert.equal(hidden.received.at(-1), 'v2');
    await world.clock.pass(MINUTE_MS - 1_000);
    assert.equal(hidden.calls, calls + 1);
  });

  it('send nothing but a version', async () => {
    const world = new World();
    world.open();
    world.open();
    await world.clock.pass(MINUTE_MS);
    assert.deepEqual([...new Set(world.tabs.said)], ['v1']);
  });

  it('each watch by themselves where they cannot reach each other', async () => {
    const world = new World();
    const pages = [world.open({ alone: true }), world.open({ alone: true })];
    await world.clock.pass(MINUTE_MS);
    world.change('v2');
    await world.clock.pass(0);
    assert.deepEqual(
      pages.map(({ received }) => received.at(-1)),
      ['v2', 'v2'],
    );
  });

  it('are never stuck: whatever happened, all know the truth soon after the network works', async () => {
    const step = fc.constantFrom(
      'hide',
      'show',
      'sleep',
      'wake',
      'die',
      'open',
      'cut',
      'mend',
      'change',
      'check',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.nat(2), fc.nat(40_000)), { maxLength: 30 }),
        async (steps) => {
          const world = new World();
          const asleep = new Set<Page>();
          let pages = [world.open(), world.open()];
          for (const [name, which, ms] of steps) {
            const page = pages[which % pages.length];
            if (name === 'open' && pages.length < 4) pages.push(world.open());
            else if (name === 'cut' || name === 'mend') world.works = name === 'mend';
            else if (name === 'change') world.change(`v${world.clock.nowMs() + 2}`);
            else if (page && name === 'die') {
              page.die();
              pages = pages.filter((other) => other !== page);
              if (pages.length === 0) pages.push(world.open());
            } else if (page && asleep.has(page)) {
              if (name === 'wake') {
                asleep.delete(page);
                page.wake();
              }
            } else if (page && name === 'sleep') {
              asleep.add(page);
              page.sleep();
            } else if (page && name === 'check') page.watcher.check(target);
            else if (page && name === 'hide') page.hide();
            else if (page && name === 'show') page.show();
            await world.clock.pass(ms);
          }
          world.works = true;
          world.change('end');
          for (const page of asleep) page.tabs.wake();
          // A hidden page that failed last waits a minute at most; one that listens, a minute and a half.
          await world.clock.pass(2 * MINUTE_MS);
          for (const page of pages) assert.equal(page.received.at(-1), 'end');
          assert.ok(pages.filter(({ waiting }) => waiting > 0).length <= 1);
          assert.ok(pages.filter(({ tabs }) => tabs.leads()).length === 1);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

/** Whatever the page, its other scripts and other versions of the widget may say to all tabs. */
const messages = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom<unknown>(
        'v1',
        'v2',
        '',
        'x'.repeat(10_000),
        '__proto__',
        { version: 'v9' },
        ['v9'],
        0,
        NaN,
      ),
      fc.anything({ withDate: true, withMap: true, withNullPrototype: true }),
    ),
    fc.constantFrom(0, 0, 10, 300, 5_000),
  ),
  { minLength: 1, maxLength: 2 * MOVES_IN_RUN },
);

/** What is wrong after these messages; null when nothing is. */
async function faultAfter(
  said: readonly (readonly [unknown, number])[],
  planted?: Planted,
): Promise<string | null> {
  const world = new World(planted);
  const pages = [world.open(), world.open()];
  await world.clock.pass(5_000);
  const before = pages.map(({ calls }) => calls);
  const startMs = world.clock.nowMs();
  for (const [text, thenMs] of said) {
    world.tabs.forge(NAME, text);
    await world.clock.pass(thenMs);
  }
  const seconds = (world.clock.nowMs() - startMs) / 1_000;
  for (const [at, page] of pages.entries()) {
    if (page.calls - (before[at] ?? 0) > seconds + 2) return 'a tab asked more than once a second';
    if (page.received.some((version) => version !== 'v1')) return 'a tab believed another';
  }
  world.change('v2');
  await world.clock.pass(2 * MINUTE_MS);
  return pages.every(({ received }) => received.at(-1) === 'v2')
    ? null
    : 'a tab no longer reads what is true';
}

describe('tabs that get forged messages', () => {
  it('ask the backend now and then, believe nothing and go on', async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (said) => assert.equal(await faultAfter(said), null)),
      { numRuns: RUNS, seed: SEED },
    );
    console.log(
      `seed ${SEED}: ${RUNS} runs of up to ${2 * MOVES_IN_RUN} messages, as many with moves of tabs`,
    );
  });

  for (const [name, complaint, planted] of [
    [
      'believes another',
      /believed/,
      (said, page) => void (typeof said === 'string' && page.received.push(said)),
    ],
    ['asks for every message', /more than once/, (_said, _page, ask) => ask()],
    [
      'stops for a message that is no text',
      /what is true/,
      (said, page) => void (said === null && page.die()),
    ],
  ] satisfies [string, RegExp, Planted][]) {
    it(`find a tab that ${name}`, async () => {
      let tried = 0;
      for (const said of fc.sample(messages, { numRuns: 500, seed: SEED })) {
        tried += 1;
        const fault = await faultAfter(said, planted);
        if (fault === null || !complaint.test(fault)) continue;
        console.log(`found after ${tried} runs: ${fault}`);
        return;
      }
      assert.fail(`${tried} runs saw nothing wrong with it`);
    });
  }
});
