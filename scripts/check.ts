/** `npm run check`: types, lint, format, unused code and the architecture; `-- --fix` repairs what can be repaired. */
import { parseArgs } from 'node:util';
import { checkNames, runCheck } from './tests/checks.js';
import { stopAllOnSignals } from './tests/processes.js';
import { addTally, newTally } from './tests/tally.js';
import { testInNode } from './tests/in-node.js';

stopAllOnSignals();
const { values } = parseArgs({ options: { fix: { type: 'boolean', default: false } } });
const whole = newTally('checks');
const checks = [
  ...checkNames.map((name) => async () => addTally(whole, await runCheck(name, { repair: values.fix }))),
  async () => {
    process.env['PAY_CHECKOUT_LONG'] = '1';
    addTally(whole, await testInNode(['test/architecture/']));
  },
];
// One after the other when they repair files.
if (values.fix) for (const check of checks) await check();
else await Promise.all(checks.map((check) => check()));
const failed = whole.failures.map(({ name }) => name);
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`);
process.exit(failed.length === 0 ? 0 : 1);
