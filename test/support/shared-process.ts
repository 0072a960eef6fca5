import assert from 'node:assert/strict';
import { afterAll } from 'vitest';
// It counts what goes through some of these, for as long as the process lives: so it comes first.
import '../server/turns.js';

/** Files run in one process after another: what one leaves changed here would fail some other by chance. */
const shared = (): [name: string, value: unknown][] => [
  ...Object.entries({
    fetch,
    setTimeout,
    clearTimeout,
    setInterval,
    setImmediate,
    queueMicrotask,
    Date,
    'Math.random': Math.random,
    'performance.now': performance.now,
    'crypto.randomUUID': crypto.randomUUID,
    'crypto.getRandomValues': crypto.getRandomValues,
    'crypto.subtle.digest': crypto.subtle.digest,
    'crypto.subtle.sign': crypto.subtle.sign,
    'console.error': console.error,
    'console.warn': console.warn,
    'console.info': console.info,
    'the folder': process.cwd(),
  }),
  ...Object.entries(process.env).map(([name, value]): [string, unknown] => [`process.env.${name}`, value]),
];

const before = new Map(shared());

afterAll(() => {
  const after = new Map(shared());
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  assert.deepEqual(changed, [], 'What this file leaves changed for those after it');
});
