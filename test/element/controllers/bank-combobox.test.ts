import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Bank } from '../../../src/contract/payer/banks.js';
import { BankCombobox } from '../../../src/element/paying/pse/bank-combobox.js';
import type { Host } from '../../../src/element/host.js';

/** Eight banks, A to Z. */
const BANKS: readonly Bank[] = [
  'Agrario',
  'Bogotá',
  'Caja',
  'Davivienda',
  'Falabella',
  'Itaú',
  'Nu',
  'Occidente',
].map((name) => ({ code: `CO_${name}`, name }));

/** A field outside a page: what it tells its form, how often it asks to be drawn, and nothing to draw. */
function picker(chosen?: string) {
  const told: string[][] = [];
  const drawn = { times: 0 };
  const host = {
    requestUpdate: () => drawn.times++,
    updateComplete: new Promise(() => undefined),
  } as unknown as Host;
  const form = {
    banks: BANKS,
    bank: BANKS.find(({ name }) => name === chosen),
    type(field: 'bank', code: string) {
      told.push(['type', field, code]);
      form.bank = BANKS.find((bank) => bank.code === code);
    },
    leave: (field: 'bank', shown: string) => void told.push(['leave', field, shown]),
  };
  const combobox = new BankCombobox(host, form);
  /** Presses a key; says whether the field kept it from the form and the page around it. */
  const press = (key: string): boolean => {
    const kept = { default: false, propagation: false };
    combobox.key({
      key,
      preventDefault: () => (kept.default = true),
      stopPropagation: () => (kept.propagation = true),
    } as unknown as KeyboardEvent);
    assert.equal(kept.default, kept.propagation);
    return kept.default;
  };
  return { combobox, told, drawn, press };
}

describe('a picker of banks', () => {
  it('is closed, empty and points at nothing', () => {
    const { combobox } = picker();
    assert.deepEqual([combobox.open, combobox.above, combobox.active, combobox.text], [false, false, -1, '']);
    assert.deepEqual(combobox.matches, BANKS);
    assert.equal(picker('Nu').combobox.text, 'Nu');
  });

  it('opens while something is written, points at the first, and chooses nothing', () => {
    const { combobox, told } = picker('Nu');
    assert.equal(combobox.write('a'), 6, 'Agrario, and those with an a inside');
    assert.deepEqual([combobox.open, combobox.active, combobox.text], [true, 0, 'a']);
    assert.deepEqual(told, [['type', 'bank', '']]);
    assert.equal(combobox.write('  '), BANKS.length);
    assert.deepEqual([combobox.open, combobox.active], [true, -1]);
    assert.equal(combobox.write('marte'), 0);
  });

  it('opens its whole list at the chosen bank, and closes it again', () => {
    const { combobox, drawn } = picker('Caja');
    combobox.toggle();
    assert.deepEqual([combobox.open, combobox.active, combobox.matches.length], [true, 2, BANKS.length]);
    combobox.toggle();
    assert.deepEqual([combobox.open, combobox.active], [false, -1]);
    assert.equal(drawn.times, 2);
  });

  it('opens by an arrow alone, and keeps that key', () => {
    for (const key of ['ArrowDown', 'ArrowUp']) {
      const { combobox, press } = picker('Caja');
      assert.equal(press(key), true);
      assert.deepEqual([combobox.open, combobox.active], [true, 2]);
    }
    for (const key of ['PageDown', 'PageUp', 'Enter', 'Escape', 'a', 'Tab']) {
      const { combobox, press } = picker('Caja');
      assert.equal(press(key), false, key);
      assert.equal(combobox.open, false, key);
    }
  });

  it('goes up and down and around', () => {
    const { combobox, press } = picker();
    combobox.toggle();
    const goes = (...keys: string[]) =>
      keys.map((key) => {
        press(key);
        return combobox.active;
      });
    assert.deepEqual(goes('ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp'), [0, 1, 0, 7, 6]);
    assert.deepEqual(
      goes('ArrowDown', 'ArrowDown', 'PageDown', 'PageDown', 'PageUp', 'PageUp'),
      [7, 0, 6, 7, 1, 0],
    );
  });

  it('leaves other keys to the field', () => {
    const { combobox, press } = picker();
    combobox.toggle();
    for (const key of ['a', 'Tab', 'Home']) assert.equal(press(key), false, key);
    assert.deepEqual([combobox.open, combobox.active], [true, -1]);
  });

  it('takes the bank that is pointed at by Enter, and none where none is', () => {
    const { combobox, told, press } = picker();
    combobox.write('fala');
    assert.equal(press('Enter'), true);
    assert.deepEqual(told.at(-1), ['type', 'bank', 'CO_Falabella']);
    assert.deepEqual([combobox.open, combobox.text], [false, 'Falabella']);
    combobox.toggle();
    combobox.active = -1;
    assert.equal(press('Enter'), true, 'the form is not sent by it');
    assert.equal(combobox.open, true);
    assert.equal(combobox.text, 'Falabella');
  });

  it('closes by Escape and keeps what was written', () => {
    const { combobox, told, press } = picker();
    combobox.write('davi');
    assert.equal(press('Escape'), true);
    assert.deepEqual([combobox.open, combobox.active, combobox.text], [false, -1, 'davi']);
    assert.equal(told.length, 1);
  });

  it('takes the only bank that was meant when it is left', () => {
    const { combobox, told } = picker();
    combobox.write('fala');
    combobox.leave();
    assert.deepEqual(told.slice(1), [
      ['type', 'bank', 'CO_Falabella'],
      ['leave', 'bank', 'Falabella'],
    ]);
    assert.equal(combobox.open, false);
  });

  it('takes none when several were meant, or none, or nothing was written', () => {
    for (const written of ['a', 'marte', ' ']) {
      const { combobox, told } = picker();
      combobox.write(written);
      combobox.leave();
      assert.deepEqual(told.slice(1), [['leave', 'bank', written]]);
      assert.equal(combobox.open, false);
    }
    const { combobox, told } = picker('Nu');
    combobox.toggle();
    combobox.leave();
    assert.deepEqual(told, [['leave', 'bank', 'Nu']]);
  });
});
