import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readHint } from '../../src/element/hint.js';
import type { Hint } from '../../src/machine/input.js';
import { createMemory } from '../../src/transport/memory.js';

const hint: Hint = {
  attempt: { kind: 'PAYIN', id: 'a-1' },
  idempotencyKey: 'key-0000000000000001',
  answered: true,
  choice: { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
};

function storage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

describe('a tab’s memory', () => {
  it('gives back what it was given, per order', () => {
    const store = storage();
    createMemory('A-1', readHint, () => store).remember(hint);
    assert.deepEqual(createMemory('A-1', readHint, () => store).recall(), hint);
    assert.equal(createMemory('A-2', readHint, () => store).recall(), null);
  });

  it('knows what it remembers with another order', () => {
    const store = Object.assign(Object.create({ getItem: () => null, setItem: () => undefined }), {
      'pay-checkout A-1': JSON.stringify(hint),
      'page A-1': 'a-2',
    }) as Storage;
    const anothers = (order: string, text: string) =>
      createMemory(order, readHint, () => store).isAnothers(text);
    assert.equal(anothers('A-2', 'key-0000000000000001'), true);
    assert.equal(anothers('A-1', 'key-0000000000000001'), false);
    assert.equal(anothers('A-1', 'a-2'), false);
  });

  it('works without storage, with full storage and with storage that may not be looked at', () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('', 'QuotaExceededError');
      },
    };
    const blocked = () => {
      throw new DOMException('', 'SecurityError');
    };
    for (const store of [() => full, blocked]) {
      const memory = createMemory('A-1', readHint, store);
      memory.remember(hint);
      assert.equal(memory.recall(), null);
    }
  });

  it('believes nothing that it could not have written', () => {
    const odd = [
      'null',
      '{',
      '[]',
      '"x"',
      JSON.stringify({ ...hint, attempt: { kind: 'PAYIN', id: '../x' } }),
      JSON.stringify({ ...hint, attempt: 'a-1' }),
      JSON.stringify({ ...hint, idempotencyKey: 7 }),
      JSON.stringify({ ...hint, answered: 'yes' }),
      JSON.stringify({ ...hint, choice: { kind: 'PAYIN', rail: 'CARD' } }),
      JSON.stringify({ ...hint, choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: 'X' } }),
      JSON.stringify({ ...hint, choice: null }),
    ];
    for (const text of odd) {
      const store = { getItem: () => text, setItem: () => {} };
      assert.equal(createMemory('A-1', readHint, () => store).recall(), null, text);
    }
  });

  it('takes every kind of choice', () => {
    for (const choice of [
      hint.choice,
      { kind: 'PAYIN', rail: 'BRE_B', keyType: 'SINGLE_USE' },
      { kind: 'PAYMENT_LINK' },
    ] as const) {
      const one = { ...hint, attempt: null, idempotencyKey: null, choice };
      assert.deepEqual(readHint(one), one);
    }
  });
});
