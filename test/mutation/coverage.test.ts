import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../scripts/tests/processes.js';
import { Coverage } from './coverage.js';

const SOURCE = `interface Order { paid: boolean }

function ship(order: Order): string {
  if (!order.paid) {
    const answer: string = 'no';
    return answer;
  }
  return 'yes';
}

function cancel(): string {
  const answer: string = 'gone';
  return answer;
}

ship({ paid: process.argv[2] === 'paid' });
if (process.argv[2] === 'cancel') cancel();
`;

test('says which lines may have run, in any of the processes', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'pay-checkout-coverage-test-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const file = 'order.ts';
  writeFileSync(join(root, file), SOURCE);
  const unrunWhen = async (...arguments_: string[]) => {
    const reports = join(root, arguments_.join('-'));
    mkdirSync(reports);
    for (const argument of arguments_) {
      const args = ['--import', import.meta.resolve('tsx'), join(root, file), argument];
      const { code, output } = await run(process.execPath, args, { env: { NODE_V8_COVERAGE: reports } });
      assert.equal(code, 0, output);
    }
    const coverage = Coverage.read(reports, root);
    return SOURCE.split('\n').flatMap((_, index) =>
      coverage.mayRun(file, index + 1, index + 1) ? [] : [index + 1],
    );
  };
  assert.deepEqual(await unrunWhen('paid'), [5, 6, 12, 13]);
  assert.deepEqual(await unrunWhen('cancel'), []);
  assert.deepEqual(await unrunWhen('unpaid'), [12, 13]);
  assert.deepEqual(await unrunWhen('unpaid', 'paid', 'cancel'), []);
  assert.ok(Coverage.read(join(root, 'paid'), root).mayRun('unknown.ts', 1, 1));
});
