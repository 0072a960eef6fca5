import { type ChildProcess, fork } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const RESTART_MS = 500;
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
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void this.end());
  }

  /** Starts each in turn and waits until it answers. */
  async raise(members: Readonly<Record<string, URL>>): Promise<void> {
    for (const [name, file] of Object.entries(members)) await this.#start(name, file);
  }

  async end(): Promise<never> {
    if (this.#ending) process.exit(1);
    this.#ending = true;
    const exits = [...this.#children.values()].map(
      (child) =>
        new Promise<void>((resolve) =>
          child.exitCode === null ? child.once('exit', () => resolve()) : resolve(),
        ),
    );
    for (const child of this.#children.values()) child.kill('SIGTERM');
    const impatient = setTimeout(() => {
      for (const child of this.#children.values()) child.kill('SIGKILL');
    }, PATIENCE_MS);
    await Promise.all(exits);
    clearTimeout(impatient);
    process.exit(0);
  }

  #start(name: string, file: URL): Promise<void> {
    const child = fork(fileURLToPath(file), {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, ...this.#env },
      // A Ctrl-C reaches the whole terminal group; each child is told by us, once, and in order.
      detached: false,
    });
    this.#children.set(name, child);
    return new Promise((resolve, reject) => {
      let ready = false;
      child.once('message', () => {
        ready = true;
        this.#say(`  ✓ ${name} (proceso ${child.pid ?? '?'})`);
        resolve();
      });
      child.once('exit', (code, signal) => {
        if (this.#ending) return;
        if (!ready) {
          reject(new Error(`${basename(file.pathname)} ended before it was ready (${signal ?? code}).`));
          void this.end();
          return;
        }
        this.#say(`  ! ${name} terminó (${signal ?? code}); vuelve a empezar.`);
        setTimeout(() => void this.#start(name, file).catch(() => undefined), RESTART_MS);
      });
    });
  }
}
