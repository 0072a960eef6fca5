/** `npm run check`: types, lint, format, unused code and the architecture; `-- --fix` repairs what can be repaired. */
import { parseArgs } from 'node:util';
import { runChecks } from './checks.js';
import { stopAllOnSignals } from './processes.js';
import { tallyLine } from './tally.js';
import { testFiles } from './test-files.js';
import { testInNode } from './test-node.js';

stopAllOnSignals();
const { values } = parseArgs({ options: { fix: { type: 'boolean', default: false } } });
const results = await runChecks({ fix: values.fix });
const architecture = await testInNode(testFiles(['test/architecture/']).node);
console.log(tallyLine({ ...architecture, runner: 'architecture' }));

const failed = results.filter((result) => !result.passed).map((result) => result.name);
if (architecture.failures.length > 0) failed.push('architecture');
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`);
process.exit(failed.length === 0 ? 0 : 1);
