import { expect } from '@open-wc/testing';
import { pageSurroundings } from '../../src/transport/surroundings.js';

describe('the moments at which a payer may be looking again', () => {
  const moments: [EventTarget, string][] = [
    [document, 'visibilitychange'],
    [document, 'resume'],
    [window, 'focus'],
    [window, 'online'],
    [window, 'pageshow'],
  ];

  it('are all noticed, until listening ends', () => {
    let noticed = 0;
    const end = pageSurroundings().onWake(() => noticed++);
    for (const [target, type] of moments) target.dispatchEvent(new Event(type));
    expect(noticed).to.equal(moments.length);
    end();
    for (const [target, type] of moments) target.dispatchEvent(new Event(type));
    expect(noticed).to.equal(moments.length);
  });

  it('are those at which it is not hidden', () => {
    const page = pageSurroundings();
    try {
      for (const state of ['hidden', 'visible']) {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
        expect(page.hidden(), state).to.equal(state === 'hidden');
      }
    } finally {
      Reflect.deleteProperty(document, 'visibilityState');
    }
  });

  it('are counted on a clock that the device’s settings do not move', () => {
    const original = Date.now;
    const page = pageSurroundings();
    const before = page.nowMs();
    try {
      for (const movedMs of [-3_600_000, 3_600_000]) {
        Date.now = () => original() + movedMs;
        expect(page.nowMs() - before).to.be.within(0, 1_800_000);
      }
    } finally {
      Date.now = original;
    }
  });
});
