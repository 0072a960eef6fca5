import assert from 'node:assert/strict';
import { test } from 'vitest';
import { READABLE, contrast, readableOn } from '../../demo/playground/contrast.js';
import { PRESETS } from '../../demo/playground/presets.js';

test('the contrast of two colours is WCAG’s, whichever comes first', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#ffffff', '#000000'), 21);
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  assert.equal(contrast('#1d4ed8', '#1d4ed8'), 1);
});

test('what stands on an accent is readable, also where the page sets only the accent', () => {
  assert.equal(readableOn('#ffd500'), '#14171f');
  assert.equal(readableOn('#7c3aed'), '#ffffff');
  for (const accent of ['#ff0000', '#00a34b', '#808080', '#e91e63', '#ff9800', '#2196f3'])
    assert.ok(contrast(accent, readableOn(accent)) >= 4, accent);
});

test('every look that the playground proposes can be read', () => {
  for (const { name, values } of PRESETS) {
    const colour = (property: string) => (values as Record<string, string | undefined>)[property];
    for (const [one, other] of [
      ['--pay-accent', '--pay-on-accent'],
      ['--pay-surface', '--pay-text'],
    ] as const) {
      const [back, front] = [colour(one), colour(other)];
      if (back && front) assert.ok(contrast(back, front) >= READABLE, `${name.en}: ${one}`);
    }
  }
});
