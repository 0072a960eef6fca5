import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { metric, Totals } from '../../../src/cli/serve/exposition.js';

describe('metrics in the text format of Prometheus', () => {
  it('adds a counter up by its labels, and says what each metric is', () => {
    const sold = new Totals();
    sold.add('sold_total', { rail: 'PSE' }, 1);
    sold.add('sold_total', { rail: 'BRE_B' }, 2);
    sold.add('sold_total', { rail: 'PSE' }, 3);
    const text =
      '# HELP sold_total Things sold\n# TYPE sold_total counter\nsold_total{rail="PSE"} 4\nsold_total{rail="BRE_B"} 2\n';
    assert.equal(metric('counter', 'sold_total', 'Things sold', sold.samples()), text);
  });

  it('writes a gauge as its value alone', () => {
    const text = '# HELP waiting Payers who wait\n# TYPE waiting gauge\nwaiting 7.5\n';
    assert.equal(metric('gauge', 'waiting', 'Payers who wait', [['waiting', 7.5]]), text);
  });

  it('counts in each bucket of a histogram everything up to its bound, also beyond the last', () => {
    const took = new Totals();
    for (const seconds of [0.1, 0.5, 4]) took.observe('took_seconds', { name: 'read' }, seconds, [0.1, 1]);
    assert.deepEqual(took.samples(), [
      ['took_seconds_bucket{name="read",le="0.1"}', 1],
      ['took_seconds_bucket{name="read",le="1"}', 2],
      ['took_seconds_bucket{name="read",le="+Inf"}', 3],
      ['took_seconds_sum{name="read"}', 4.6],
      ['took_seconds_count{name="read"}', 3],
    ]);
  });

  it('escapes what would end a label', () => {
    const odd = new Totals();
    odd.add('odd_total', { label: 'a"b\\c\nd' }, 1);
    assert.deepEqual(odd.samples(), [['odd_total{label="a\\"b\\\\c\\nd"}', 1]]);
  });
});
