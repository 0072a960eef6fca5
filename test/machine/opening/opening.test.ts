import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Input } from '../../../src/machine/input.js';
import { opening } from '../../../src/machine/opening/opening.js';
import { transition } from '../../../src/machine/paying/transition.js';
import { type State, initialState } from '../../../src/machine/state.js';
import { NOON_MS, breb, config, offer } from '../fixtures.js';

const START: Extract<Input, { type: 'start' }> = {
  type: 'start',
  config,
  hint: null,
  returned: null,
  open: true,
};

/** The state after these inputs, what was asked for, and which inputs wait for the second act. */
function opened(...inputs: Input[]) {
  let state: State = initialState;
  const asked: string[] = [];
  const waiting: string[] = [];
  for (const input of inputs) {
    const [next, effects, waits] = opening(state, { ...input, atMs: NOON_MS });
    state = next;
    asked.push(...effects.map(({ type }) => type));
    if (waits) waiting.push(input.type);
  }
  return { state, asked, waiting };
}

const loaded = (run: number, value = offer()): Input => ({
  type: 'offer-loaded',
  run,
  offer: value,
  level: 'FULL',
});

describe('the opening', () => {
  it('reads the offer and shows it as the whole machine does', () => {
    const inputs = [START, loaded(2)];
    const { state, waiting } = opened(...inputs);
    const whole = inputs.reduce<State>(
      (before, input) => transition(before, { ...input, atMs: NOON_MS })[0],
      initialState,
    );
    assert.equal(state.screen.phase, 'choosing');
    assert.deepEqual(state, whole);
    assert.deepEqual(waiting, []);
  });

  it('shows that something is read while an attempt of the address waits', () => {
    const { state, waiting } = opened({ ...START, returned: { kind: 'PAYIN', id: 'a-1' } });
    assert.equal(state.screen.phase, 'returning');
    assert.deepEqual(waiting, ['start']);
  });

  it('leaves an offer with an attempt, a price that moved and a choice to the second act', () => {
    assert.deepEqual(opened(START, loaded(2, offer({ attempt: breb() }))).waiting, ['offer-loaded']);
    const moved = loaded(2, offer({ version: 'newer' }));
    assert.deepEqual(opened(START, loaded(2), moved).waiting, ['offer-loaded']);
    const [method] = offer().methods;
    const choose: Input = { type: 'choose', method: method!, idempotencyKey: 'key-0000000000000001' };
    assert.deepEqual(opened(START, loaded(2), choose).waiting, ['choose']);
  });

  it('keeps its screen when the same offer comes once more, so that a choice that waits stays one', () => {
    const first = opened(START, loaded(2)).state.screen;
    const again = opened(START, loaded(2), loaded(2)).state.screen;
    assert.deepEqual(again, first);
    const before = opened(START, loaded(2)).state;
    const [after] = opening(before, { ...loaded(2), atMs: NOON_MS });
    assert.equal(after.screen, before.screen);
  });

  it('says that the second act is missing with what there is to pay, and reads again on retry', () => {
    const { state } = opened(START, loaded(2), { type: 'part-missing' });
    const { screen } = state;
    assert.ok(screen.phase === 'failed');
    assert.deepEqual(
      [screen.reason, screen.doing],
      ['part_missing', { step: 'LOAD', replacing: null, offer: offer() }],
    );
    const retried = opened(
      START,
      loaded(2),
      { type: 'part-missing' },
      { type: 'retry', idempotencyKey: 'k' },
    );
    assert.equal(retried.state.screen.phase, 'loading');
  });
});

describe('the first act', () => {
  const hint = {
    attempt: { kind: 'PAYIN', id: 'breb-1' },
    idempotencyKey: 'key-0000000000000001',
    answered: true,
    choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
  } as const;
  const basic: Input = { type: 'offer-loaded', run: 2, offer: offer(), level: 'BASIC' };

  it('reads the offer, says that it is ready and announces the choice', () => {
    const { asked } = opened(START, loaded(2));
    assert.deepEqual(asked, ['load-offer', 'announce', 'emit', 'measure', 'announce']);
  });

  it('ignores the answer to an earlier read', () => {
    const { state, waiting } = opened(START, loaded(1, offer({ attempt: breb() })));
    assert.equal(state.screen.phase, 'loading');
    assert.deepEqual(waiting, []);
  });

  it('leaves an offer of a Basic backend only when this tab remembers an attempt', () => {
    assert.deepEqual(opened(START, basic).waiting, []);
    assert.deepEqual(opened({ ...START, hint: { ...hint, attempt: null } }, basic).waiting, []);
    assert.deepEqual(opened({ ...START, hint }, basic).waiting, ['offer-loaded']);
    assert.deepEqual(opened({ ...START, hint }, loaded(2)).waiting, []);
  });

  it('takes the same offer once more, and leaves what belongs to another screen', () => {
    assert.deepEqual(opened(START, loaded(2), loaded(2)).waiting, []);
    const failed: Input = { type: 'part-missing' };
    assert.deepEqual(opened(START, loaded(2), failed, loaded(2)).waiting, ['offer-loaded']);
  });

  it('retries only what could not be loaded', () => {
    const retry: Input = { type: 'retry', idempotencyKey: 'key-0000000000000001' };
    assert.deepEqual(opened(START, loaded(2), retry).waiting, ['retry']);
  });

  it('needs nothing when the page is restored', () => {
    const { state, waiting } = opened(START, loaded(2), { type: 'page-restored' });
    assert.equal(state.screen.phase, 'choosing');
    assert.deepEqual(waiting, []);
  });
});
