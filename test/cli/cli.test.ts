import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runCli } from './cli-process.js';

describe('the command line', { concurrency: 2 }, () => {
  for (const args of [[], ['--help'], ['-h'], ['help']]) {
    test(`"pay-checkout ${args.join(' ')}" prints what there is`, async () => {
      const { code, stdout, stderr } = await runCli(args);
      assert.equal(code, 0);
      assert.match(stdout, /npx pay-checkout <command>/);
      assert.match(stdout, /\n {2}sandbox /);
      assert.equal(stderr, '');
    });
  }

  for (const args of [
    ['sandbox', '--help'],
    ['sandbox', '--port', '1', '-h'],
    ['help', 'sandbox'],
  ]) {
    test(`"pay-checkout ${args.join(' ')}" tells every flag and scenario, and starts nothing`, async () => {
      const { code, stdout } = await runCli(args);
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

  for (const [args, message] of [
    [['sandbx'], /Unknown command "sandbx". Did you mean "sandbox"\?/],
    [['juggle'], /Unknown command "juggle"\.\n/],
    [['--port', '1'], /Expected a command before --port/],
    [['sandbox', '--prot', '4010'], /Unknown flag --prot\. Did you mean --port\?/],
    [['sandbox', '--webhok=http://x'], /Unknown flag --webhok\. Did you mean --webhook\?/],
    [['sandbox', '--zzzzzzzz'], /Unknown flag --zzzzzzzz\.\n/],
    [['sandbox', '-p', '1'], /Unknown flag -p\. Did you mean --/],
    [['sandbox', 'extra'], /Unexpected argument "extra"/],
    [['sandbox', '--port'], /--port needs a value/],
    [['sandbox', '--port', 'many'], /--port is a number from 0 to 65535, not "many"/],
    [['sandbox', '--port', '70000'], /--port is a number from 0 to 65535/],
    [['sandbox', '--port', '1', '--port', '2'], /--port was given twice/],
    [['sandbox', '--seed', 'x'], /--seed is a whole number/],
    [['sandbox', '--webhook', 'localhost:3000'], /--webhook is an address that begins with http/],
    [['sandbox', '--public-url', 'ftp://x'], /--public-url is an address that begins with http/],
    [['sandbox', '--webhook-header', 'x'], /--webhook-header needs --webhook/],
    [['sandbox', '--webhook-secret', 'x'], /--webhook-secret needs --webhook/],
    [['sandbox', '--webhook', 'http://x', '--webhook-header', 'a b'], /--webhook-header is a header name/],
    [['sandbox', '--webhook', 'http://x', '--webhook-secret', 'a b'], /--webhook-secret is 1 to 256/],
    [
      ['sandbox', '--scenario', 'webhook-lost'],
      /Unknown scenario "webhook-lost"\. Did you mean webhooks-lost\?/,
    ],
    [['sandbox', '--scenario', 'toString'], /Unknown scenario "toString"/],
  ] as const) {
    test(`"pay-checkout ${args.join(' ')}" is explained and ends with 2`, async () => {
      const { code, stdout, stderr } = await runCli(args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.match(stderr, /See: npx pay-checkout .*--help/);
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
      assert.equal(stdout, '');
    });
  }
});
