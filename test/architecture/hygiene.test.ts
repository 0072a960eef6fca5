import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { machinePathFaults, testFaults } from './hygiene.js';
import { readSources } from './sources.js';

describe('the repository', () => {
  it('names no path of one machine', () => {
    const sources = readSources(
      ['src', 'demo', 'test', 'scripts', 'docs'],
      ['.ts', '.js', '.html', '.css', '.md', '.json'],
    );
    sources.delete('test/architecture/hygiene.test.ts');
    assert.deepEqual(
      [...sources].flatMap(([path, text]) => machinePathFaults(path, text)),
      [],
    );
  });

  it('has no test that hides others, is skipped without a reason, or sleeps', () => {
    assert.deepEqual(
      [...readSources(['test'])]
        .filter(([path]) => path !== 'test/support/skip-when.ts')
        .flatMap(([path, text]) => testFaults(path, text)),
      [],
    );
  });
});

describe('the pages of the demo', () => {
  it('import nothing of src themselves: their scripts do', () => {
    const pages = [...readSources(['demo'], ['.html'])];
    assert.ok(pages.length > 0, 'no page was read');
    assert.deepEqual(
      pages.filter(([, text]) => /["'](?:\.\.)?\/src\//.test(text)).map(([path]) => path),
      [],
    );
  });
});

describe('the reader of habits', () => {
  it('sees a path of one machine', () => {
    assert.equal(machinePathFaults('a.ts', `const a = '/home/ana/key';`).length, 1);
    assert.equal(machinePathFaults('a.ts', String.raw`const a = 'C:\Users';`).length, 1);
    assert.deepEqual(
      machinePathFaults('a.ts', `fetch('/payins/1'); import '../work/a.js'; // https://a.co/home/b`),
      [],
    );
  });

  const planted = {
    'a test that runs only itself': `it.only('a', () => {});`,
    'a skipped test': `describe.skip('a', () => {});`,
    'a skip option without a reason': `it('a', { skip: true }, () => {});`,
    'a skip call without a reason': `it('a', (t) => t.skip());`,
    'a sleep': `await new Promise((resolve) => setTimeout(resolve, 10));`,
    'a sleep in a block': `await new Promise((resolve) => { setTimeout(resolve, 10); });`,
    'a sleep of the test helpers': `await aTimeout(10);`,
    'an import of sleeps': `import { setTimeout } from 'node:timers/promises';`,
  };
  for (const [name, text] of Object.entries(planted)) {
    it(`sees ${name}`, () => {
      assert.equal(testFaults('planted.test.ts', text).length, 1);
    });
  }

  it('accepts a skip or a sleep with its reason', () => {
    const text = `it('a', skipWhen(noServer && 'PostgreSQL is not installed'), () => {});
      // real time: the process under test has its own clock
      await new Promise((resolve) => setTimeout(resolve, 10));`;
    assert.deepEqual(testFaults('fine.test.ts', text), []);
    assert.deepEqual(
      testFaults('fine.browser.test.ts', `it.skip('a (WebKit has no such thing)', () => {});`),
      [],
    );
  });
});
