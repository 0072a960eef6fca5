import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Play, breb, iso, NOON_MS, offer, paid, pse } from './fixtures.js';

/** A key that took the place of another. */
const replaced = (next = breb({ id: 'breb-2' })): Play =>
  new Play().paying().do({ type: 'another-method' }).choose().created(next);

const events = (play: Play, act: () => void): unknown[] => {
  const count = play.effects.length;
  act();
  return play.effects
    .slice(count)
    .flatMap((effect) => (effect.type === 'emit' ? [effect.event] : []))
    .map((event) => ('payin' in event ? { ...event, payin: event.payin.id } : event));
};

describe('what the page is told of attempts', () => {
  it('names the attempt that was updated', () => {
    const play = replaced();
    assert.deepEqual(
      events(play, () => play.arrived(breb({ version: 'v2' }))),
      [{ type: 'payin-updated', payin: 'breb-1' }],
    );
  });

  it('is that a replaced key was paid late, as well as the new one', () => {
    const play = replaced().arrived(paid(breb({ id: 'breb-2' })));
    assert.deepEqual(
      events(play, () =>
        play.arrived(paid(breb(), { settlement: { state: 'PAID', by: 'breb-2', duplicate: true } })),
      ),
      [
        { type: 'payin-updated', payin: 'breb-1' },
        {
          type: 'payin-confirmed',
          payin: 'breb-1',
          resumed: false,
          late: true,
          amountDiffers: false,
          duplicate: true,
        },
      ],
    );
  });

  it('is that the key on the screen lapsed, not the one that it replaced', () => {
    const play = replaced(breb({ id: 'breb-2', expiresAt: iso(NOON_MS + 60_000) }));
    play.later(60_000);
    assert.deepEqual(
      events(play, () => play.later(10_000)),
      [{ type: 'payin-lapsed', payin: 'breb-2', resumed: false }],
    );
  });

  it('is never that a payment failed once it was confirmed, not even after a new start', () => {
    const play = new Play().paying().arrived(paid(breb())).start();
    assert.deepEqual(
      events(play, () => play.offered(offer({ attempt: breb({ status: 'DECLINED' }) }))).filter(
        (event) => (event as { type: string }).type === 'payin-declined',
      ),
      [],
    );
  });

  it('is not that the open payment which was already there has been created', () => {
    const play = new Play().paying().do({ type: 'another-method' }).choose();
    const count = play.effects.length;
    play.created(breb());
    assert.equal(play.screen('paying').alreadyInProgress, true);
    assert.deepEqual(
      play.effects.slice(count).map(({ type }) => type),
      ['remember', 'announce', 'measure', 'schedule'],
    );
  });
});

describe('a check', () => {
  it('reads the payment that the payer comes from, and leaves the choice on the screen', () => {
    const play = new Play().paying().do({ type: 'another-method' });
    const { state } = play;
    const count = play.effects.length;
    assert.equal(play.do({ type: 'check' }).state, state);
    assert.deepEqual(play.effects.slice(count), [{ type: 'check', target: { kind: 'PAYIN', id: 'breb-1' } }]);
  });
});

describe('an input that means nothing on the screen', () => {
  it('leaves the state as it is', () => {
    const play = new Play().paying();
    const { state } = play;
    assert.equal(play.do({ type: 'back' }, { type: 'online' }, { type: 'opened' }).state, state);
    assert.equal(play.arrived(pse()).state, state);
  });
});
