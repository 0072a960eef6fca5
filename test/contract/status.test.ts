import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import {
  isFinal,
  isPaid,
  LINK_STATUSES,
  linkStatus,
  PAYIN_STATUSES,
  payinStatus,
} from '../../src/contract/status.js';

describe('status', () => {
  it('keeps the names everybody knows', () => {
    for (const status of PAYIN_STATUSES) assert.equal(payinStatus(status), status);
    for (const status of LINK_STATUSES) assert.equal(linkStatus(status), status);
  });

  it('takes PENDING and PROCESSING alike: open', () => {
    assert.deepEqual(PAYIN_STATUSES.filter(isFinal), ['CONFIRMED', 'DECLINED', 'CANCELED']);
    assert.deepEqual(LINK_STATUSES.filter(isFinal), ['COMPLETED', 'EXPIRED']);
  });

  it('takes one name of each kind for paid', () => {
    assert.deepEqual(PAYIN_STATUSES.filter(isPaid), ['CONFIRMED']);
    assert.deepEqual(LINK_STATUSES.filter(isPaid), ['COMPLETED']);
  });

  it('never takes an unknown name for paid or final', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        fc.pre(!(PAYIN_STATUSES as readonly string[]).includes(name));
        fc.pre(!(LINK_STATUSES as readonly string[]).includes(name));
        assert.equal(isFinal(payinStatus(name)), false);
        assert.equal(isFinal(linkStatus(name)), false);
      }),
    );
  });

  it('does not guess from spelling: other cases and near misses stay open', () => {
    for (const name of ['confirmed', 'CONFIRMED ', 'Confirmed', 'APPROVED', 'PAID', 'CANCELLED', 'COMPLETED'])
      assert.equal(isPaid(payinStatus(name)), false, name);
  });

  it('takes extra names from the mapping it is given', () => {
    assert.equal(payinStatus('APPROVED', { APPROVED: 'CONFIRMED' }), 'CONFIRMED');
    assert.equal(linkStatus('PAID', { PAID: 'COMPLETED' }), 'COMPLETED');
  });

  it("is not fooled by names that Object's prototype has", () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
      assert.equal(payinStatus(name), 'PROCESSING', name);
  });
});
