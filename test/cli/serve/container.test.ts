import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { runCli } from '../cli-process.js';

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The steps of docs/examples/Containerfile, in their order. */
function instructions(): readonly Instruction[] {
  return readFileSync('docs/examples/Containerfile', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const space = line.indexOf(' ');
      return { name: line.slice(0, space), rest: line.slice(space + 1) };
    });
}

function the(name: string): string {
  const found = instructions().filter((each) => each.name === name);
  assert.equal(found.length, 1, `one ${name}`);
  return found[0]?.rest ?? '';
}

describe('the example of a container', () => {
  it('has the program as its first process, which gets its signals', () => {
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<string, string> };
    const command = JSON.parse(the('CMD')) as string[];
    assert.deepEqual(command.slice(0, 3), [
      'node',
      `node_modules/pay-checkout/${bin['pay-checkout']}`,
      'serve',
    ]);
  });

  it('starts it with arguments that it knows', async () => {
    const [, , ...args] = JSON.parse(the('CMD')) as string[];
    const { stderr } = await runCli(args.map((arg) => (arg.endsWith('.mjs') ? 'nowhere.config.mjs' : arg)));
    assert.match(stderr, /^There is no nowhere\.config\.mjs/, 'the file is all that is missing');
  });

  it('makes the data folder and gives it to its user before it becomes that user', () => {
    const [user, folder] = [the('USER'), the('VOLUME')];
    const steps = instructions();
    const own = steps.findIndex(
      ({ name, rest }) => name === 'RUN' && rest.includes(`chown ${user}:${user} ${folder}`),
    );
    assert.ok(own >= 0, `nothing gives ${folder} to ${user}`);
    assert.ok(steps[own]?.rest.startsWith(`mkdir ${folder} && `), 'the folder is there by then');
    assert.ok(own < steps.findIndex(({ name }) => name === 'USER'), 'only root can give it away');
    assert.notEqual(user, 'root');
  });

  it('is asked for its health at the port that it opens', () => {
    const [, port] = /127\.0\.0\.1:(\d+)\/health/.exec(the('HEALTHCHECK')) ?? [];
    assert.equal(port, the('EXPOSE'));
  });
});
