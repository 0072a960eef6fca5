import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
const PATIENCE_MS = 4_000;

/** The processes of the demo. One that dies is started again, all of them end together, and none is left behind. */
export class Family {
  readonly #env: Record<string, string>;
  readonly #say: (text: string) => void;
  readonly #children = new Map<string, ChildProcess>();
  #ending = false;

  constructor(env: Record<string, string>, say: (text: string) => void) {
    this.#env = env;
    this.#say = say;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void this.end(0));
  }

  /** Starts all and waits until each answers; rejects when one cannot. */
  async raise(members: Readonly<Record<string, URL>>): Promise<void> {
    await Promise.all(Object.entries(members).map(([name, file]) => this.#start(name, file)));
  }

  /** Ends every process, then this one. Asked twice, it ends at once. */
  async end(code: number): Promise<never> {
    const impatient = () => {
      for (const child of this.#children.values()) child.kill('SIGKILL');
    };
    if (this.#ending) {
      impatient();
      process.exit(1);
    }
    this.#ending = true;
    const alive = [...this.#children.values()].filter(isAlive);
    const exits = alive.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of alive) child.kill('SIGTERM');
    setTimeout(impatient, PATIENCE_MS);
    await Promise.all(exits);
    process.exit(code);
  }

  async #start(name: string, file: URL): Promise<void> {
    const child = fork(fileURLToPath(file), {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, ...this.#env },
    });
    this.#children.set(name, child);
    const ended = new Promise<string>((resolve) =>
      child.once('exit', (code, signal) => resolve(String(signal ?? code))),
    );
    const ready = new Promise<'ready'>((resolve) => child.once('message', () => resolve('ready')));
    const first = await Promise.race([ready, ended]);
    if (this.#ending) return;
    if (first !== 'ready') throw new Error(`${name}: could not start (${first}).`);
    this.#say(`  ✓ ${name} (process ${child.pid ?? '?'})`);
    void ended.then((how) => {
      if (this.#ending) return;
      this.#say(`  ! ${name} ended (${how}); it starts again.`);
      this.#restart(name, file, FIRST_DELAY_MS);
    });
  }

  /** As often as it takes: what stopped it, a database for example, may come back. */
  #restart(name: string, file: URL, delayMs: number): void {
    setTimeout(() => {
      if (this.#ending) return;
      this.#start(name, file).catch((error: unknown) => {
        this.#say(`  ! ${error instanceof Error ? error.message : String(error)}`);
        this.#restart(name, file, Math.min(2 * delayMs, LONGEST_DELAY_MS));
      });
    }, delayMs);
  }
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
