import assert from 'node:assert/strict';
import { test } from 'vitest';
import { bilingual } from '../../src/look/bilingual.js';

test('each language has every text under its name, at any depth and with values filled in', () => {
  const words = bilingual({
    title: ['Consola', 'Console'],
    states: { paid: ['Pagado', 'Paid'] },
    pages: (first: number, total: number) => [`${first} de ${total}`, `${first} of ${total}`],
  });
  assert.deepEqual(
    [words.es.title, words.es.states.paid, words.es.pages(1, 3)],
    ['Consola', 'Pagado', '1 de 3'],
  );
  assert.deepEqual(
    [words.en.title, words.en.states.paid, words.en.pages(1, 3)],
    ['Console', 'Paid', '1 of 3'],
  );
});
