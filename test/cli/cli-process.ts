import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { afterThisProcess } from '../support/after-this-process.js';

/**
 * The program in one file, built once for a process of tests: from its sources each start takes ten times as long. It lies as
 * deep as in the package, because it reads the version beside it.
 */
const folder = mkdtempSync(join('node_modules', '.cli-'));
export const CLI = resolve(folder, 'cli.mjs');
await build({
  input: './src/cli.ts',
  external: ['libsql', 'pg'],
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  logLevel: 'warn',
  output: { file: CLI, codeSplitting: false },
});
afterThisProcess('rm -rf "$0"', resolve(folder));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  /** Resolves with all that was written so far once it contains the text; rejects when the process ends first. */
  written(text: string): Promise<string>;
  readonly ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
}

/** Starts the real program as a process of its own. */
export function startCli(args: readonly string[], env: Record<string, string> = {}, cwd = '.'): Started {
  const child: ChildProcess = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { ...process.env, NODE_ENV: '', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const watcher of watchers) watcher();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });

  return {
    ended,
    written: (text) =>
      new Promise((resolve, reject) => {
        const watcher = () => {
          if (!stdout.includes(text)) return;
          watchers.delete(watcher);
          resolve(stdout);
        };
        watchers.add(watcher);
        void ended.then(() => reject(new Error(`It ended before it wrote "${text}":\n${stdout}\n${stderr}`)));
        watcher();
      }),
    signal: (name) => void child.kill(name),
  };
}

export function runCli(args: readonly string[], env?: Record<string, string>, cwd?: string): Promise<Ended> {
  return startCli(args, env, cwd).ended;
}
