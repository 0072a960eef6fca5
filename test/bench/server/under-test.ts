import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FromServer, Seeded, ServerPlan, ToServer, Usage } from './plan.js';

const script = fileURLToPath(new URL('server.ts', import.meta.url));

/** A server process of its own, on a core of its own where the system lets us choose and there are as many. */
export class ServerUnderTest {
  readonly port: number;
  readonly seeded: readonly Seeded[];
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number, seeded: readonly Seeded[]) {
    this.#child = child;
    this.port = port;
    this.seeded = seeded;
  }

  static async start(plan: ServerPlan, core = 0): Promise<ServerUnderTest> {
    const command = [process.execPath, '--expose-gc', '--import', 'tsx', script, JSON.stringify(plan)];
    const [file = '', ...rest] = canPin()
      ? ['taskset', '-c', String(core % cpus().length), ...command]
      : command;
    const child = spawn(file, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const message = await next(child, 'ready');
    return new ServerUnderTest(child, message.port, message.seeded);
  }

  /** With `collected`, what is resident is in use: garbage is collected first. */
  async usage({ collected = false } = {}): Promise<Usage> {
    const answer = next(this.#child, 'usage');
    this.#child.send((collected ? 'collected usage' : 'usage') satisfies ToServer);
    return answer;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.send('stop' satisfies ToServer);
    await ended;
  }
}

/** Keeps this process, which makes the load, off the core of the server. */
export function pinLoad(): string {
  if (!canPin()) return 'not pinned to cores';
  execFileSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)], { stdio: 'ignore' });
  return 'server on core 0, load on core 1';
}

function canPin(): boolean {
  try {
    execFileSync('taskset', ['-c', '1', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function next<Say extends FromServer['say']>(
  child: ChildProcess,
  say: Say,
): Promise<Extract<FromServer, { say: Say }>> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void): void => {
      child.off('message', onMessage);
      child.off('exit', onExit);
      work();
    };
    const onExit = (code: number | null): void =>
      settle(() => reject(new Error(`The server under test ended with ${String(code)}`)));
    const onMessage = (message: FromServer): void => {
      if (message.say === say) settle(() => resolve(message as Extract<FromServer, { say: Say }>));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}
