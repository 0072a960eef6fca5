#!/usr/bin/env node
import { nearest } from './cli/arguments.js';
import { type Command, CommandError, UsageError } from './cli/command.js';
import { sandboxCommand } from './cli/sandbox.js';
import { serveCommand } from './cli/serve.js';
import { verifyCommand } from './cli/verify.js';

/** The commands by name. Each lives in `cli/<name>.ts`; this file only finds the one that was asked for. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['sandbox', sandboxCommand],
  ['serve', serveCommand],
  ['verify', verifyCommand],
]);

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const command = name === 'help' ? COMMANDS.get(rest[0] ?? '') : undefined;
    process.stdout.write(command?.help ?? overview());
    return 0;
  }
  const command = COMMANDS.get(name);
  if (!command) throw new UsageError(unknownCommand(name));
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(command.help);
    return 0;
  }
  return command.run(rest);
}

function overview(): string {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}   ${summary}`);
  return `pay-checkout: Bre-B and PSE payments for storefronts in Colombia

Usage
  npx pay-checkout <command> [flags]

Commands
${lines.join('\n')}

  npx pay-checkout <command> --help   tells everything about one command
`;
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) return `Expected a command before ${name}.`;
  const near = nearest(name, [...COMMANDS.keys()]);
  return `Unknown command "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    const command = process.argv[2] ?? '';
    const help = COMMANDS.has(command) ? `npx pay-checkout ${command} --help` : 'npx pay-checkout --help';
    process.stderr.write(`${error.message}\nSee: ${help}\n`);
    process.exitCode = 2;
  } else if (error instanceof CommandError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
