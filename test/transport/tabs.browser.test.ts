import { expect, waitUntil } from '@open-wc/testing';
import { type Membership, type Tabs, browserTabs } from '../../src/transport/tabs.js';
import { PATIENCE_MS } from '../support/patience.js';

/** Each member is what a tab would be: locks and channels do not care where in a browser they are asked for. */
class Tab {
  leads = false;
  readonly received: unknown[] = [];
  readonly membership: Membership;

  constructor(name: string, tabs: Tabs | undefined = browserTabs()) {
    if (!tabs) throw new Error('this browser should have both');
    this.membership = tabs.join(name, {
      lead: (leading) => (this.leads = leading),
      receive: (said) => this.received.push(said),
    });
    open.add(this);
  }
}

const open = new Set<Tab>();
let names = 0;
const newName = () => `pay-checkout test-${++names}-${Math.random()}`;

afterEach(() => {
  for (const { membership } of open) membership.leave();
  open.clear();
});

const until = (happened: () => boolean | Promise<boolean>, what: string) =>
  waitUntil(happened, what, { timeout: PATIENCE_MS });

/** The locks of that name that are held or waited for. */
async function locksOf(name: string): Promise<LockInfo[]> {
  const { held = [], pending = [] } = await navigator.locks.query();
  return [...held, ...pending].filter((lock) => lock.name === name);
}

async function released(name: string): Promise<void> {
  while ((await locksOf(name)).length > 0);
}

/** Runs in a browser that has something else in that place. */
function instead<Value>(owner: object, name: string, value: unknown, run: () => Value): Value {
  const original = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, value });
  try {
    return run();
  } finally {
    if (original) Object.defineProperty(owner, name, original);
    else Reflect.deleteProperty(owner, name);
  }
}

describe('the tabs of a real browser', () => {
  it('are led by the first, and by the next as soon as it leaves', async () => {
    const name = newName();
    const one = new Tab(name);
    await until(() => one.leads, 'the first leads');
    const [two, three] = [new Tab(name), new Tab(name)];
    one.membership.leave();
    await until(() => two.leads, 'the second leads');
    expect([one.leads, three.leads]).to.deep.equal([false, false]);
  });

  it('are led by the one that takes it, and the one before waits again', async () => {
    const name = newName();
    const one = new Tab(name);
    await until(() => one.leads, 'the first leads');
    const two = new Tab(name);
    two.membership.take();
    await until(() => two.leads && !one.leads, 'the second took it');
    await until(async () => (await locksOf(name)).length === 2, 'the first waits');
    expect(two.leads, 'and takes nothing back').to.be.true;
    two.membership.leave();
    await until(() => one.leads, 'the first has it back');
  });

  it('receive what others of the same name say', async () => {
    const name = newName();
    const [one, two, other] = [new Tab(name), new Tab(name), new Tab(newName())];
    one.membership.notify('v2');
    await until(() => two.received.length > 0, 'it was received');
    expect([one.received, two.received, other.received]).to.deep.equal([[], ['v2'], []]);
  });

  it('deliver what they said before they left', async () => {
    const name = newName();
    const [one, two] = [new Tab(name), new Tab(name)];
    one.membership.notify('v2');
    one.membership.leave();
    await until(() => two.received.length > 0, 'it was received');
  });

  for (const [target, asleep, awake] of [
    [window, 'pagehide', 'pageshow'],
    [document, 'freeze', 'resume'],
  ] as const) {
    it(`give the lead back at ${asleep}, and wait for it again from ${awake} on`, async () => {
      const name = newName();
      const one = new Tab(name);
      await until(() => one.leads, 'it leads');
      target.dispatchEvent(new Event(asleep));
      expect(one.leads).to.be.false;
      await released(name);
      const two = new Tab(name);
      await until(() => two.leads, 'another leads');
      target.dispatchEvent(new Event(awake));
      expect(await locksOf(name)).to.have.length(2);
      expect([one.leads, two.leads]).to.deep.equal([false, true]);
      two.membership.leave();
      await until(() => one.leads, 'it leads again');
    });
  }

  it('ignore a page that shows itself without having been away', async () => {
    const name = newName();
    const one = new Tab(name);
    await until(() => one.leads, 'it leads');
    window.dispatchEvent(new Event('pageshow'));
    expect(await locksOf(name)).to.have.length(1);
  });

  it('leave nothing behind', async () => {
    const name = newName();
    const [one, two] = [new Tab(name), new Tab(name)];
    two.membership.take();
    one.membership.leave();
    two.membership.leave();
    window.dispatchEvent(new Event('pageshow'));
    await released(name);
    expect([one.leads, two.leads]).to.deep.equal([false, false]);
  });
});

describe('a browser that does not let tabs meet', () => {
  for (const missing of ['locks', 'BroadcastChannel'] as const) {
    it(`has no ${missing}: every tab is on its own`, () => {
      const owner = missing === 'locks' ? navigator : window;
      expect(instead(owner, missing, undefined, () => browserTabs())).to.equal(undefined);
    });
  }

  const refuse = () => {
    throw new DOMException('', 'SecurityError');
  };
  const both = () => [new Tab(newName()), new Tab(newName())] as const;

  it('refuses the lock: every tab leads', async () => {
    const [one, two] = instead(navigator, 'locks', { request: () => Promise.resolve().then(refuse) }, both);
    await until(() => one.leads && two.leads, 'both lead');
  });

  it('refuses the channel: every tab leads', async () => {
    const [one, two] = instead(window, 'BroadcastChannel', refuse, both);
    await until(() => one.leads && two.leads, 'both lead');
    one.membership.notify('v2');
  });
});
