import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import { readHint } from '../../src/element/opening/hint.js';
import type { Hint } from '../../src/machine/input.js';
import { createMemory } from '../../src/transport/memory.js';
import { seedOr, sizeOr } from '../support/torture.js';
import { broken } from './wire.js';

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
    removeItem: (key: string) => void items.delete(key),
  };
}

describe('a tab’s memory', () => {
  it('gives back what it was given, per order', () => {
    const store = storage();
    createMemory('A-1', readHint, () => store).remember(hint);
    assert.deepEqual(createMemory('A-1', readHint, () => store).recall(), hint);
    assert.equal(createMemory('A-2', readHint, () => store).recall(), null);
  });

  it('forgets, and leaves nothing behind', () => {
    const store = storage();
    const memory = createMemory('A-1', readHint, () => store);
    memory.remember(hint);
    memory.remember(null);
    assert.equal(memory.recall(), null);
    assert.equal(store.items.size, 0);
  });

  it('reads nothing where nothing is kept', () => {
    const read = () => {
      throw new TypeError('There is nothing to read');
    };
    let readings = 0;
    const memory = createMemory('A-1', () => (readings++, read()), storage);
    assert.equal(memory.recall(), null);
    assert.equal(readings, 0);
  });

  it('recognises a text that it keeps for another order', () => {
    const store = Object.assign(Object.create({ getItem: () => null, setItem: () => undefined }), {
      'pay-checkout A-1': JSON.stringify(hint),
      'page A-1': 'a-2',
    }) as Storage;
    const anothers = (order: string, text: string) =>
      createMemory(order, readHint, () => store).isOfAnotherOrder(text);
    assert.equal(anothers('A-2', 'key-0000000000000001'), true);
    assert.equal(anothers('A-1', 'key-0000000000000001'), false);
    assert.equal(anothers('A-1', 'a-2'), false);
  });

  it('works with storage that is full or may not be looked at', () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('', 'QuotaExceededError');
      },
      removeItem: () => undefined,
    };
    const blocked = () => {
      throw new DOMException('', 'SecurityError');
    };
    for (const store of [() => full, blocked]) {
      const memory = createMemory('A-1', readHint, store);
      memory.remember(hint);
      assert.equal(memory.recall(), null);
      assert.equal(memory.isOfAnotherOrder('a-1'), false);
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
      const store = { ...storage(), getItem: () => text };
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

const TEXTS = sizeOr(600, 10_000);
const SEED = seedOr(Date.now() % 1_000_000);

const ids = fc.constantFrom('a-1', 'x'.repeat(128), 'key-0000000000000001');
const hints = fc.record({
  attempt: fc.option(fc.record({ kind: fc.constantFrom('PAYIN', 'PAYMENT_LINK'), id: ids })),
  idempotencyKey: fc.option(ids),
  answered: fc.boolean(),
  choice: fc.constantFrom<object>(
    { kind: 'PAYMENT_LINK' },
    { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' },
    { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BBVA', personType: 'BUSINESS' },
  ),
});
/** The page, its other scripts and its payer can all write there. */
const keptTexts = fc.oneof(
  broken(hints).map((value) => JSON.stringify(value) ?? ''),
  hints.map((value) => JSON.stringify({ ...value, __proto__: null, html: '<img onerror=alert(1)>' })),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('{"__proto__":{"answered":true}}', '['.repeat(10_000), '1e999', ''),
);

/** Judged without the schema that reads it. */
function assertHint(value: Hint): void {
  const { attempt, idempotencyKey, answered, choice } = value;
  const isId = (text: unknown) => typeof text === 'string' && /^[\w.~-]{1,128}$/.test(text);
  assert.deepEqual(Object.keys(value).sort(), ['answered', 'attempt', 'choice', 'idempotencyKey']);
  assert.ok(
    attempt === null || (isId(attempt.id) && ['PAYIN', 'PAYMENT_LINK'].includes(attempt.kind)),
    'attempt',
  );
  assert.ok(idempotencyKey === null || isId(idempotencyKey), 'key');
  assert.equal(typeof answered, 'boolean');
  const { kind, rail, keyType, bank, personType } = choice as unknown as Readonly<Record<string, unknown>>;
  const isBreb = rail === 'BRE_B' && ['QR_CODE', 'SINGLE_USE'].includes(keyType as string);
  const isPse = rail === 'PSE' && isId(bank) && ['INDIVIDUAL', 'BUSINESS'].includes(personType as string);
  assert.ok(kind === 'PAYMENT_LINK' ? rail === undefined : kind === 'PAYIN' && (isBreb || isPse), 'choice');
}

function recalled(text: string, read: (value: unknown) => Hint): boolean {
  const store = { ...storage(), getItem: () => text };
  const hint = createMemory('A-1', read, () => store).recall();
  if (hint !== null) assertHint(hint);
  return hint !== null;
}

describe('a memory that other scripts wrote to', () => {
  it('gives a whole hint or none', () => {
    let taken = 0;
    fc.assert(
      fc.property(keptTexts, (text) => {
        if (recalled(text, readHint)) taken += 1;
      }),
      { numRuns: TEXTS, seed: SEED },
    );
    console.log(`seed ${SEED}: ${TEXTS} kept texts, ${taken} taken`);
    assert.ok(taken > TEXTS / 20 && taken < TEXTS / 2, String(taken));
  });

  for (const [name, read] of Object.entries({
    'believes what it finds': (value: unknown) => value as Hint,
    'looks at the choice alone': (value: unknown) => {
      const { attempt, idempotencyKey, answered } = Object(value) as Hint;
      return {
        ...readHint({ ...hint, choice: (Object(value) as Hint).choice }),
        attempt,
        idempotencyKey,
        answered,
      };
    },
    'passes on what it does not know': (value: unknown) => ({ ...(value as object), ...readHint(value) }),
  })) {
    it(`finds a widget that ${name}`, () => {
      const at = fc.sample(keptTexts, { numRuns: 2_000, seed: SEED }).findIndex((text) => {
        try {
          recalled(text, read);
          return false;
        } catch {
          return true;
        }
      });
      assert.ok(at >= 0, 'no text saw anything wrong with it');
      console.log(`found after ${at + 1} texts`);
    });
  }
});
