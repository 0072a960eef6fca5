import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { NOON_MS, Play, breb, iso, offer, pse, pseMethod } from './fixtures.js';

describe('another method while a bank may have the payment', () => {
  it('is taken with what the payer declared, so that no form is filled in for nothing', () => {
    const play = new Play().redirecting().do({ type: 'back' }, { type: 'another-method' }).choose();
    const { body } = play.last('create').request;
    assert.equal(body.replaces, 'pse-1');
    assert.equal(body.override, true);
  });

  it('keeps the declaration while the offer is read', () => {
    const play = new Play().start({ returned: { kind: 'PAYIN', id: 'pse-1' } }).arrived(pse());
    assert.equal(play.phase, 'verifying');
    play
      .do({ type: 'another-method' })
      .offered(offer({ attempt: pse() }))
      .choose();
    assert.equal(play.last('create').request.body.override, true);
  });

  it('declares nothing of a key, nor of a payment that has no address yet', () => {
    const key = new Play().paying().do({ type: 'another-method' }).choose(pseMethod).submitPse();
    assert.equal(key.last('create').request.body.override, undefined);
    const waiting = new Play()
      .redirecting(pse({ sourceData: null }))
      .do({ type: 'another-method' })
      .choose();
    assert.equal(waiting.last('create').request.body.override, undefined);
  });
});

describe('a create that takes long', () => {
  it('says so after three seconds and lets the payer go back, without a second key for the same choice', () => {
    const play = new Play().start().offered().choose();
    const { idempotencyKey } = play.screen('creating');
    play.do({ type: 'back' });
    assert.equal(play.phase, 'creating', 'not before');
    play.later(3_000);
    assert.equal(play.screen('creating').slowAtMs, null);
    play.do({ type: 'back' });
    assert.equal(play.phase, 'choosing');
    play.choose();
    assert.equal(play.screen('creating').idempotencyKey, idempotencyKey);
  });
});

describe('a key that was replaced in another tab', () => {
  it('leads to the one that took its place', () => {
    const play = new Play().paying().do({ type: 'show-current' });
    assert.equal(play.phase, 'paying', 'not while it is the one to pay');
    play.arrived(breb({ replaced: true, version: 'v2', updatedAt: iso(NOON_MS + 1) }));
    assert.equal(play.screen('paying').attempt.replaced, true);
    play.do({ type: 'show-current' }).offered(offer({ attempt: breb({ id: 'breb-2' }) }));
    assert.equal(play.screen('paying').attempt.id, 'breb-2');
  });
});

describe('a device without a network', () => {
  it('does not also say that the check failed', () => {
    const play = new Play().paying().do({ type: 'check' }, { type: 'offline' });
    assert.equal(play.screen('paying').check, 'NONE');
    play.do({ type: 'check' }, { type: 'watch-failed', id: 'breb-1', failures: 1 });
    assert.equal(play.screen('paying').check, 'NONE');
  });
});
