import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Play, breb, config, network, offer, problem, pse } from './fixtures.js';

/** What happens while it is unknown whether a payment exists, or whose it is. */

describe('a create whose answer takes long', () => {
  it('is called slow on the screen after three seconds, once, and goes on', () => {
    const play = new Play().start().offered().choose();
    assert.notEqual(play.later(2_999).screen('creating').slowAtMs, null);
    assert.equal(play.later(1).screen('creating').slowAtMs, null);
    assert.equal(play.later(20_000).phase, 'creating');
    const said = play.of('announce').filter(({ message }) => message === 'stalled');
    assert.equal(said.length, 1);
    assert.equal(play.created(breb()).phase, 'paying');
  });
});

describe('a create whose answer never came', () => {
  const failed = () => new Play().start().offered().choose().refused(network);

  it('is looked for in the offer, and shown when it arrived after all', () => {
    const play = failed();
    assert.equal(play.phase, 'failed');
    assert.equal(play.of('load-offer').length, 2);
    play.offered(offer({ attempt: breb() }));
    assert.equal(play.phase, 'paying');
    assert.equal(play.of('create').length, 1);
  });

  it('is sent again only by the payer when it did not arrive', () => {
    const play = failed().offered();
    assert.equal(play.phase, 'failed');
    play.do({ type: 'offline' }, { type: 'online' });
    assert.equal(play.of('load-offer').length, 3);
    assert.equal(play.offered().phase, 'failed');
    assert.equal(play.of('create').length, 1);
  });

  it('is looked for again when the network is back', () => {
    const play = failed().offered().do({ type: 'offline' }, { type: 'online' });
    assert.equal(play.offered(offer({ attempt: breb() })).phase, 'paying');
  });

  it('is not looked for after the backend refused it', () => {
    const play = new Play().start().offered().choose().refused(problem('service_refused'));
    assert.equal(play.of('load-offer').length, 1);
  });

  it('is not looked for where the backend has no offers', () => {
    const play = new Play().start().offered(offer(), 'BASIC').choose().refused(network);
    assert.equal(play.of('load-offer').length, 1);
  });
});

describe('a return to an order that has another token since', () => {
  const returned = { kind: 'PAYIN', id: 'pse-1' } as const;
  const back = () =>
    new Play().start({ config: { ...config, order: 'A-1042.new' }, returned }).arrived(pse());

  it('is recognised by the attempt in its offer', () => {
    const play = back();
    assert.equal(play.last('load-offer').order, 'A-1042.new');
    assert.deepEqual(play.of('clean-address'), []);
    play.offered(offer({ attempt: pse() }));
    assert.equal(play.phase, 'verifying');
    assert.equal(play.of('clean-address').length, 1);
  });

  it('belongs to another checkout when the offer has no such attempt', () => {
    const play = back().offered();
    assert.equal(play.phase, 'choosing');
    assert.deepEqual(play.of('clean-address'), []);
    assert.equal(back().offered(offer({ attempt: pse({ id: 'pse-2' }) })).phase, 'pending');
  });
});
