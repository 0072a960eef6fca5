import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

const killAfterMs = 5_000;
/** Helpers of a program that just ended notice it a moment later, and end too. */
const strayGraceMs = 1_000;

/** Every process of a run inherits its mark, so that one that slipped out of its group is still found. */
const markName = 'PAY_CHECKOUT_RUN';
const inheritedMark = process.env[markName];
const mark = inheritedMark ?? randomUUID();

const running = new Set<ChildProcess>();

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** Starts a program as the leader of its own process group, so that all of it can be ended at once. */
export function start(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, {
    // Windows has no groups; there it would only open a window.
    detached: process.platform !== 'win32',
    ...options,
    env: { ...process.env, [markName]: mark, ...options.env },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Runs a program to its end; what it printed is returned, and shown at once with `show`. */
export function run(
  command: string,
  args: readonly string[],
  { show = false, ...options }: SpawnOptions & { show?: boolean } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = start(command, args, {
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      ...options,
    });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (error) =>
      resolve({ code: null, signal: null, output: `${output}${error.message}\n` }),
    );
    child.once('close', (code, signal) => resolve({ code, signal, output }));
  });
}

export function exited(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Ends a program started with `start`, politely first: browsers' launchers close their browsers on SIGTERM. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), killAfterMs);
  await exited(child);
  clearTimeout(timer);
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** Ends whatever this run started and names what had slipped away. Only Linux lets us look for strays. */
export async function stopAll(): Promise<string[]> {
  await Promise.all([...running].map(stop));
  const ending = Date.now() + strayGraceMs;
  let strays = findStrays();
  while (strays.length > 0 && Date.now() < ending) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    strays = findStrays();
  }
  for (const { pid } of strays) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Ended by itself meanwhile.
    }
  }
  return strays.map(({ pid, name }) => `${name} (${pid})`);
}

function findStrays(): { pid: number; name: string }[] {
  // Only the run that made the mark may end its bearers.
  if (process.platform !== 'linux' || inheritedMark !== undefined) return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        if (!readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').includes(`${markName}=${mark}`))
          return [];
        return [{ pid: Number(entry), name: readFileSync(`/proc/${entry}/comm`, 'utf8').trim() }];
      } catch {
        return [];
      }
    });
}

/** On Ctrl-C and its like nothing is left running, and the exit code says so. */
export function stopAllOnSignals(): void {
  // What others start for this run, as vitest does its workers, inherits the mark too.
  process.env[markName] = mark;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      void stopAll().finally(() => process.exit(code));
    });
  }
}
