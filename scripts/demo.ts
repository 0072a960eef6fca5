import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './tests/free-port.js';
import { exited, run, start } from './tests/processes.js';

/** The demo as a person starts it: `npm start`, in processes of its own, on free ports and with data of its own. */

/** The processes as the terminal names them. */
export type DemoProcess = 'payment service' | 'merchant backend' | 'pages';

export interface Demo {
  readonly siteUrl: string;
  readonly sandboxUrl: string;
  /** Signs in to the console. */
  readonly consoleUrl: string;
  readonly dataDir: string;
  /** Everything the terminal showed. */
  readonly output: () => string;
  /** The number of a process that runs now, as the terminal said last. */
  readonly pid: (name: DemoProcess) => number;
  /** Waits until the terminal shows it. */
  readonly shows: (text: string | RegExp) => Promise<void>;
  /** Presses Ctrl-C and waits until the terminal is free again. */
  readonly interrupt: () => Promise<void>;
  /** Interrupts what still runs, and removes the data unless it was given. */
  readonly stop: () => Promise<void>;
}

export interface DemoOptions {
  /** Builds the pages first and serves those: a visit asks for a few files, where their sources are a hundred. */
  readonly built?: boolean;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  readonly port?: number;
}

const OPEN = 'Ctrl-C ends it all';

/** Starts it and waits until it is open; throws with what the terminal showed when it ends instead. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'pay-checkout-demo-'));
  const port = options.port ?? (await freePort());
  const flags = ['--port', String(port), '--data', dataDir, ...(options.flags ?? [])];
  if (options.built) {
    const pages = join(dataDir, 'pages');
    const { code, output } = await run(process.execPath, [
      'node_modules/vite/bin/vite.js',
      'build',
      '--mode',
      'demo',
      '--outDir',
      pages,
    ]);
    if (code !== 0) throw new Error(`The pages cannot be built:\n${output}`);
    flags.push('--built', '--pages', pages);
  }
  const child = start('npm', ['start', '--', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.env ? { env: options.env } : {}),
  });

  let output = '';
  const listeners = new Set<() => void>();
  const told = () => {
    for (const listener of listeners) listener();
  };
  const ended = exited(child).then(told);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      told();
    });
  }

  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const shows = (text: string | RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        const there = typeof text === 'string' ? output.includes(text) : text.test(output);
        if (!there && !isOver()) return;
        listeners.delete(look);
        if (there) resolve();
        else reject(new Error(`The demo ended (${child.exitCode ?? child.signalCode}):\n${output}`));
      };
      listeners.add(look);
      look();
    });
  const interrupt = async () => {
    // As a terminal does: everybody in the foreground hears it at once.
    if (!isOver() && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await ended;
  };
  const stop = async () => {
    await interrupt();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };

  try {
    await shows(OPEN);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    siteUrl: address(output, 'Everything'),
    sandboxUrl: address(output, 'Sandbox').replace('/_', ''),
    consoleUrl: lastMatch(output, /Console +(\S+#entrada=\S+)/g),
    dataDir,
    output: () => output,
    pid: (name) => Number(lastMatch(output, new RegExp(`✓ ${name} \\(process (\\d+)\\)`, 'g'))),
    shows,
    interrupt,
    stop,
  };
}

function address(output: string, label: string): string {
  return lastMatch(output, new RegExp(`${label} +(http\\S+)/$`, 'gm'));
}

function lastMatch(text: string, pattern: RegExp): string {
  const found = [...text.matchAll(pattern)].at(-1)?.[1];
  if (found === undefined) throw new Error(`The terminal never showed ${pattern.source}`);
  return found;
}
