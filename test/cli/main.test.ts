import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { runCli } from './cli-process.js';

/** The same as `runCli`, in this process: for what only prints. */
async function run(args: readonly string[]) {
  let [stdout, stderr] = ['', ''];
  const code = await main(args, { write: (text) => (stdout += text) }, { write: (text) => (stderr += text) });
  return { code, stdout, stderr };
}

const COMMANDS = ['init', 'sandbox', 'serve', 'verify', 'doctor'];

describe('the command line', () => {
  for (const args of [[], ['--help'], ['-h'], ['help']]) {
    test(`"pay-checkout ${args.join(' ')}" prints what there is`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 0);
      assert.match(stdout, /npx pay-checkout <command>/);
      for (const command of COMMANDS) assert.match(stdout, new RegExp(`\\n {2}${command} `));
      assert.equal(stderr, '');
    });
  }

  for (const args of [
    ['sandbox', '--help'],
    ['sandbox', '--port', '1', '-h'],
    ['help', 'sandbox'],
  ]) {
    test(`"pay-checkout ${args.join(' ')}" tells every flag and scenario, and starts nothing`, async () => {
      const { code, stdout } = await run(args);
      assert.equal(code, 0);
      for (const flag of [
        'port',
        'host',
        'webhook',
        'webhook-header',
        'webhook-secret',
        'scenario',
        'seed',
      ]) {
        assert.match(stdout, new RegExp(`--${flag} `));
      }
      assert.match(stdout, /--snapshot FILE/);
      assert.match(stdout, /--public-url URL/);
      assert.match(stdout, /webhooks-reordered/);
    });
  }

  for (const args of [['--version'], ['-v'], ...COMMANDS.map((command) => [command, '--version'])]) {
    test(`"pay-checkout ${args.join(' ')}" prints the version, and starts nothing`, async () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
      assert.deepEqual(await run(args), { code: 0, stdout: `pay-checkout ${version}\n`, stderr: '' });
    });
  }

  test('is a program of its own, with exit codes', async () => {
    const [good, bad] = await Promise.all([runCli([]), runCli(['sandbx'])]);
    assert.deepEqual(good, await run([]));
    assert.deepEqual(bad, await run(['sandbx']));
    assert.deepEqual([good.code, bad.code], [0, 2]);
  });

  for (const command of COMMANDS) {
    test(`"pay-checkout ${command} --help" tells how it is used, and starts nothing`, async () => {
      const { code, stdout, stderr } = await run([command, '--help']);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^pay-checkout ${command}: .+\\n\\nUsage\\n`));
      assert.equal(stderr, '');
    });
  }

  for (const [args, message] of [
    [['sandbx'], /Unknown command "sandbx"\. There are: init, sandbox, serve, /],
    [['--port', '1'], /Expected a command before --port/],
    [['sandbox', '--prot', '4010'], /^Unknown option '--prot'\.\n/],
    [['verify', 'http://x', '--ordr', 'x'], /^Unknown option '--ordr'\.\n/],
    [['sandbox', '-p', '1'], /^Unknown option '-p'\.\n/],
    [['sandbox', 'extra'], /^Unexpected argument 'extra'\.\n/],
    [['sandbox', '--port'], /^Option '--port <value>' argument missing\.\n/],
    [['sandbox', '--port', '--host'], /^Option '--port' argument is ambiguous\.\n/],
    [['sandbox', '--port='], /--port needs a value/],
    [['sandbox', '--port', 'many'], /--port is a number from 0 to 65535, not "many"/],
    [['sandbox', '--port', '70000'], /--port is a number from 0 to 65535/],
    [['sandbox', '--seed', 'x'], /--seed is a whole number/],
    [['sandbox', '--webhook', 'localhost:3000'], /--webhook is an address that begins with http/],
    [['sandbox', '--public-url', 'ftp://x'], /--public-url is an address that begins with http/],
    [['sandbox', '--webhook-header', 'x'], /--webhook-header needs --webhook/],
    [['sandbox', '--webhook-secret', 'x'], /--webhook-secret needs --webhook/],
    [['sandbox', '--webhook', 'http://x', '--webhook-header', 'a b'], /--webhook-header is a header name/],
    [['sandbox', '--webhook', 'http://x', '--webhook-secret', 'a b'], /--webhook-secret is 1 to 256/],
    [
      ['sandbox', '--scenario', 'webhook-lost'],
      /Unknown scenario "webhook-lost"\. There are: .*webhooks-lost/,
    ],
    [['sandbox', '--scenario', 'toString'], /Unknown scenario "toString"/],
    [['verify'], /Expected the address of the backend/],
    [['verify', 'localhost:3000', '--order', 'x'], /The backend is an address that begins with http/],
    [['verify', 'http://x'], /--order is needed/],
    [['verify', 'http://x', 'http://y', '--order', 'x'], /Unexpected argument 'http:\/\/y'\./],
    [['verify', 'http://x', '--order', 'x', '--level', 'most'], /--level is full or basic, not "most"/],
    [['verify', 'http://x', '--order', 'x', '--rail', 'CARD'], /--rail is BRE_B or PSE, not "CARD"/],
    [['verify', 'http://x', '--order', 'x', '--header', 'nothing'], /--header is written "Name: value"/],
    [['verify', 'http://x', '--order', 'x', '--webhook-header', 'y'], /needs --webhook-secret/],
    [['verify', 'http://x', '--order', 'x', '--json=yes'], /^Option '--json' does not take an argument\.\n/],
    [['doctor'], /--base-url is needed/],
    [['doctor', '--base-url', 'service'], /--base-url is an address that begins with http/],
    [['doctor', 'http://x'], /Unexpected argument 'http:\/\/x'\./],
    [['serve', '--conf', 'x'], /Unknown option '--conf'\./],
  ] as const) {
    test(`"pay-checkout ${args.join(' ')}" is explained and ends with 2`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.match(stderr, /See: npx pay-checkout .*--help/);
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
      assert.equal(stdout, '');
    });
  }

  for (const [args, env, message] of [
    [['doctor', '--base-url', 'http://127.0.0.1:9'], { SERVICE_API_KEY: '' }, /^Set SERVICE_API_KEY/],
    [['doctor', '--base-url', 'http://127.0.0.1:9'], { SERVICE_API_KEY: 'a key' }, /^SERVICE_API_KEY has/],
    [['serve', '--config', 'no-such-file.mjs'], {}, /^There is no no-such-file\.mjs/],
  ] as const) {
    test(`"pay-checkout ${args.join(' ')}" says what is missing and ends with 1`, async () => {
      const { code, stdout, stderr } = await runCli(args, env);
      assert.equal(code, 1, stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /a key|\n\s+at /, 'neither the key nor a stack');
      assert.equal(stdout, '');
    });
  }
});
