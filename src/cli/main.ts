import { createRequire } from 'node:module';
import { type Command, CommandError, UsageError } from './command.js';
import { doctorCommand } from './doctor/command.js';
import { initCommand } from './init.js';
import { ordersCommand } from './orders/command.js';
import { reconcileCommand } from './reconcile.js';
import { sandboxCommand } from './sandbox.js';
import { serveCommand } from './serve/command.js';
import { verifyCommand } from './verify/command.js';

/** The commands by name. Each lives in its own file; this one only finds the one that was asked for. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['init', initCommand],
  ['sandbox', sandboxCommand],
  ['serve', serveCommand],
  ['verify', verifyCommand],
  ['doctor', doctorCommand],
  ['orders', ordersCommand],
  ['reconcile', reconcileCommand],
]);

interface Output {
  write(text: string): unknown;
}

/** Runs what was typed and resolves with the exit code: 0 done, 1 could not be done, 2 not understood. */
export async function main(args: readonly string[], stdout: Output, stderr: Output): Promise<number> {
  try {
    return await dispatch(args, stdout);
  } catch (error) {
    if (error instanceof UsageError) {
      const [command = ''] = args;
      const help = COMMANDS.has(command) ? `npx pay-checkout ${command} --help` : 'npx pay-checkout --help';
      stderr.write(`${error.message}\nSee: ${help}\n`);
      return 2;
    }
    if (error instanceof CommandError) {
      stderr.write(`${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

async function dispatch([name, ...rest]: readonly string[], stdout: Output): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const command = name === 'help' ? COMMANDS.get(rest[0] ?? '') : undefined;
    stdout.write(command?.help ?? overview());
    return 0;
  }
  if (name === '--version' || name === '-v' || rest.includes('--version')) {
    stdout.write(`pay-checkout ${version()}\n`);
    return 0;
  }
  const command = COMMANDS.get(name);
  if (!command) throw new UsageError(unknownCommand(name));
  if (rest.includes('--help') || rest.includes('-h')) {
    stdout.write(command.help);
    return 0;
  }
  return command.run(rest);
}

/** The package's own file lies beside src as beside dist. */
function version(): string {
  const { version: own } = createRequire(import.meta.url)('../../package.json') as { version: string };
  return own;
}

function overview(): string {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}   ${summary}`);
  return `pay-checkout: Bre-B and PSE payments for storefronts in Colombia

Usage
  npx pay-checkout <command> [flags]

Commands
${lines.join('\n')}

  npx pay-checkout <command> --help   says everything about one command
  npx pay-checkout --version          prints the version; every command takes it too
`;
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) return `Expected a command before ${name}.`;
  return `Unknown command "${name}". There are: ${[...COMMANDS.keys()].join(', ')}.`;
}
