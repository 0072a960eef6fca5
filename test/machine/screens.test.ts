import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Attempt } from '../../src/contract/backend.js';
import { deadlineMs, targetsOf } from '../../src/machine/paying/consequences.js';
import { type Entry, screenOf } from '../../src/machine/paying/screens.js';
import { type Screen, type State, initialState } from '../../src/machine/state.js';
import { BANK_URL, NOON_MS, Play, breb, iso, link, offer, paid, pse } from './fixtures.js';

const MINUTE_MS = 60_000;
const at = (attempt: Attempt, entry: Partial<Entry> = {}, state: Partial<State> = {}): Screen =>
  screenOf({ ...initialState, open: true, ...state }, attempt, { offer: offer(), ...entry }, NOON_MS);
const open = { offer: offer(), alreadyInProgress: false, check: 'NONE' } as const;

describe('the screen of an attempt', () => {
  it('is a receipt once it is paid', () => {
    const receipt = { offer: offer(), late: false };
    assert.deepEqual(at(paid(breb())), { phase: 'confirmed', attempt: paid(breb()), ...receipt });
    assert.deepEqual(at(paid(breb()), { late: true }), {
      phase: 'confirmed',
      attempt: paid(breb()),
      offer: offer(),
      late: true,
    });
    const other = paid(breb(), { confirmedAmountInCents: 1 });
    assert.deepEqual(at(other), { phase: 'amount-differs', attempt: other, ...receipt });
    const twice = paid(breb(), { settlement: { state: 'PAID', by: 'breb-1', duplicate: true } });
    assert.deepEqual(at(twice), { phase: 'duplicate', attempt: twice, ...receipt });
  });

  it('is a receipt of two payments when an older one was paid in full too', () => {
    const older = [paid(breb({ id: 'breb-0' }))];
    assert.equal(at(paid(breb()), {}, { older }).phase, 'duplicate');
    assert.equal(at(paid(breb()), {}, { older: [breb({ id: 'breb-0' })] }).phase, 'confirmed');
    assert.equal(at(paid(breb()), {}, { older: [paid(breb())] }).phase, 'confirmed', 'itself');
  });

  it('says how it ended without money', () => {
    for (const status of ['DECLINED', 'CANCELED'] as const) {
      const attempt = pse({ status });
      const phase = status === 'DECLINED' ? 'declined' : 'canceled';
      assert.deepEqual(at(attempt), { phase, attempt, offer: offer() });
    }
  });

  it('has lapsed from its end on, by the server’s clock', () => {
    const attempt = breb({ expiresAt: iso(NOON_MS) });
    const lapsed = { phase: 'lapsed', attempt, offer: offer(), checkingUntilMs: null };
    assert.deepEqual(at(attempt), lapsed);
    assert.deepEqual(at(attempt, {}, { clockOffsetMs: -1 }).phase, 'paying');
    assert.equal(at(breb({ expiresAt: iso(NOON_MS + 1) })).phase, 'paying');
    assert.equal(at(breb({ expiresAt: iso(NOON_MS + 1) }), {}, { clockOffsetMs: 1 }).phase, 'lapsed');
    assert.equal(at(link({ status: 'EXPIRED' })).phase, 'lapsed');
  });

  it('has not lapsed for a payer who comes back from the bank, unless it has ended', () => {
    const attempt = pse({ expiresAt: iso(NOON_MS) });
    assert.equal(at(attempt, { returned: true }).phase, 'verifying');
    assert.equal(at(link({ status: 'EXPIRED' }), { returned: true }).phase, 'lapsed');
  });

  it('is the key, or the wait for it', () => {
    const attempt = breb();
    assert.deepEqual(at(attempt), { phase: 'paying', ...open, attempt, source: attempt.sourceData });
    const bare = breb({ sourceData: null, stalled: true });
    assert.deepEqual(at(bare, { alreadyInProgress: true, follow: true }), {
      phase: 'preparing',
      ...open,
      alreadyInProgress: true,
      attempt: bare,
      sinceMs: NOON_MS,
      stalled: true,
      follow: true,
    });
    assert.equal(at(attempt, { returned: true }).phase, 'paying', 'no bank sends anyone back to a key');
  });

  it('goes to the bank when the payer asked for it here, and waits otherwise', () => {
    const attempt = pse();
    assert.deepEqual(at(attempt, { follow: true }), {
      phase: 'redirecting',
      attempt,
      offer: offer(),
      url: BANK_URL,
      untilMs: NOON_MS + 20_000,
    });
    const pending = { phase: 'pending', ...open, attempt, url: BANK_URL, blocked: null };
    assert.deepEqual(at(attempt), pending);
    assert.deepEqual(at(attempt, { follow: true }, { open: false }), pending, 'behind a closed dialog');
    assert.deepEqual(at(attempt, { returned: true, follow: true }), {
      phase: 'verifying',
      ...open,
      attempt,
      untilMs: NOON_MS + MINUTE_MS,
    });
    assert.equal(at(pse({ sourceData: null }), { follow: true }).phase, 'preparing');
  });

  it('is the link, with its address', () => {
    const attempt = link();
    assert.deepEqual(at(attempt), { phase: 'link', ...open, attempt, url: 'https://pay.example/l/1' });
    assert.equal(at(link({ paymentLinkUrl: null })).phase, 'preparing');
    assert.equal(at(link({ rail: 'BRE_B' })).phase, 'link');
  });
});

describe('what is watched', () => {
  const target = (id: string, version: string | null = 'v1') => ({ kind: 'PAYIN', id, version }) as const;
  const [older, ended] = [breb({ id: 'breb-0' }), breb({ id: 'breb-9', status: 'DECLINED' })];
  const watched = (screen: Screen, level: State['level'], others: readonly Attempt[] = [older, ended]) =>
    targetsOf({ ...initialState, screen, level, older: others });

  it('is one attempt for a whole order, while any of it is open', () => {
    assert.deepEqual(watched(at(breb()), 'FULL'), [target('breb-1')]);
    assert.deepEqual(watched(at(breb()), 'FULL', []), [target('breb-1')]);
    assert.deepEqual(watched(at(paid(breb())), 'FULL'), [target('breb-1', 'v1+paid')]);
    assert.deepEqual(watched(at(paid(breb())), 'FULL', [ended]), []);
    assert.deepEqual(watched({ phase: 'loading', order: 'A-1042', replacing: null }, 'FULL'), []);
  });

  it('is each open attempt by itself with a Basic backend', () => {
    assert.deepEqual(watched(at(breb()), 'BASIC'), [target('breb-1'), target('breb-0')]);
    assert.deepEqual(watched(at(paid(breb())), 'BASIC'), [target('breb-0')]);
    assert.deepEqual(watched({ phase: 'loading', order: 'A-1042', replacing: null }, 'BASIC'), [
      target('breb-0'),
    ]);
  });

  it('is the attempt in the address, of which nothing is known yet', () => {
    const returning = (id: string) =>
      ({ phase: 'returning', target: { kind: 'PAYIN', id }, from: 'ADDRESS', offer: null }) as const;
    assert.deepEqual(watched(returning('breb-1'), 'FULL'), [target('breb-1', null)]);
    assert.deepEqual(watched(returning('breb-1'), 'BASIC'), [target('breb-1', null), target('breb-0')]);
    assert.deepEqual(watched(returning('breb-0'), 'BASIC'), [target('breb-0', null)]);
  });

  it('is nothing before there is a checkout', () => {
    assert.deepEqual(watched({ phase: 'idle' }, 'BASIC'), []);
  });
});

describe('the moment that is waited for', () => {
  const expiresAt = iso(NOON_MS + MINUTE_MS);
  const moment = (screen: Screen, state: Partial<State> = {}) =>
    deadlineMs({ ...initialState, ...state, screen });

  it('is the end of the attempt, by this device’s clock', () => {
    assert.equal(moment(at(breb({ expiresAt }))), NOON_MS + MINUTE_MS);
    assert.equal(moment(at(breb({ expiresAt })), { clockOffsetMs: 1_000 }), NOON_MS + MINUTE_MS - 1_000);
    assert.equal(moment(at(link({ expiresAt }))), NOON_MS + MINUTE_MS);
    assert.equal(moment(at(pse({ expiresAt }))), NOON_MS + MINUTE_MS);
    assert.equal(moment(at(breb())), null);
  });

  it('is none once the bank has sent the payer back: only the backend can end that', () => {
    const pending = at(pse({ expiresAt }));
    assert.ok(pending.phase === 'pending');
    assert.equal(moment({ ...pending, url: null }), null);
  });

  it('is when a wait has become long, or the end where that is sooner', () => {
    assert.equal(moment(at(breb({ sourceData: null }))), NOON_MS + 20_000);
    assert.equal(moment(at(breb({ sourceData: null, expiresAt: iso(NOON_MS + 5_000) }))), NOON_MS + 5_000);
    assert.equal(moment(at(breb({ sourceData: null, stalled: true, expiresAt }))), NOON_MS + MINUTE_MS);
    assert.equal(moment(at(breb({ sourceData: null, stalled: true }))), null);
  });

  it('is when a browser should have left, when a bank should have answered, when a check should have ended', () => {
    const soon = iso(NOON_MS + 5_000);
    assert.equal(moment(at(pse({ expiresAt: soon }), { follow: true })), NOON_MS + 20_000);
    assert.equal(moment(at(pse({ expiresAt: soon }), { returned: true })), NOON_MS + MINUTE_MS);
    const lapsed = at(breb({ expiresAt: iso(NOON_MS) }));
    assert.ok(lapsed.phase === 'lapsed');
    assert.equal(moment(lapsed), null);
    assert.equal(moment({ ...lapsed, checkingUntilMs: NOON_MS + 7 }), NOON_MS + 7);
  });

  it('is when a create has become slow', () => {
    const { state } = new Play().start().offered().choose();
    assert.equal(deadlineMs(state), NOON_MS + 3_000);
    assert.equal(deadlineMs(new Play().start().offered().choose().later(3_000).state), null);
  });

  it('is none on any other screen', () => {
    assert.equal(moment(at(paid(breb({ expiresAt })))), null);
    assert.equal(moment(at(breb({ status: 'DECLINED', expiresAt }))), null);
    assert.equal(moment({ phase: 'idle' }), null);
  });
});
