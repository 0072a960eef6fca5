import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { counter, exposition, gauge, histogram } from '../../../src/cli/serve/exposition.js';

describe('metrics in the text format of Prometheus', () => {
  it('adds a counter up by its labels, and says what each metric is', () => {
    const sold = counter('sold_total', 'Things sold');
    sold.add({ rail: 'PSE' }, 1);
    sold.add({ rail: 'BRE_B' }, 2);
    sold.add({ rail: 'PSE' }, 3);
    const text =
      '# HELP sold_total Things sold\n# TYPE sold_total counter\nsold_total{rail="PSE"} 4\nsold_total{rail="BRE_B"} 2\n';
    assert.equal(exposition([sold]), text);
  });

  it('shows a gauge from the start, with its latest value', () => {
    const waiting = gauge('waiting', 'Who waits');
    assert.match(exposition([waiting]), /^waiting 0$/m);
    waiting.set(7.5);
    waiting.set(3);
    assert.match(exposition([waiting]), /^waiting 3$/m);
  });

  it('counts in each bucket of a histogram everything up to its bound, also beyond the last', () => {
    const took = histogram('took_seconds', 'How long', [0.1, 1]);
    for (const seconds of [0.1, 0.5, 4]) took.observe({ name: 'read' }, seconds);
    const lines = exposition([took]).trim().split('\n').slice(2);
    assert.deepEqual(lines, [
      'took_seconds_bucket{name="read",le="0.1"} 1',
      'took_seconds_bucket{name="read",le="1"} 2',
      'took_seconds_bucket{name="read",le="+Inf"} 3',
      'took_seconds_sum{name="read"} 4.6',
      'took_seconds_count{name="read"} 3',
    ]);
  });

  it('escapes what would end a label', () => {
    const odd = counter('odd_total', 'Odd');
    odd.add({ label: 'a"b\\c\nd' }, 1);
    assert.match(exposition([odd]), /^odd_total\{label="a\\"b\\\\c\\nd"\} 1$/m);
  });
});
