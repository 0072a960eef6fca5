import type { SqliteConnection } from './driver.js';

interface Job {
  readonly durable: boolean;
  /** Writes inside the open transaction. */
  readonly write: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome =
  { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: unknown };

/**
 * Commits what arrives together in one transaction: a sync of the disk takes milliseconds, and with a synchronous
 * driver the whole process stands still for it. Each write succeeds or fails on its own.
 */
export class SqliteWriter {
  readonly #connection: SqliteConnection;
  #jobs: Job[] = [];
  #running = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Resolves once the write is on disk. */
  write<Result>(work: () => Result): Promise<Result> {
    return this.#add(work, true);
  }

  /** Resolves once the write is committed. A crash of the machine, not of the process, may undo it. */
  writeRelaxed<Result>(work: () => Result): Promise<Result> {
    return this.#add(work, false);
  }

  #add<Result>(write: () => Result, durable: boolean): Promise<Result> {
    return new Promise<unknown>((resolve, reject) => {
      this.#jobs.push({ durable, write, resolve, reject });
      if (!this.#running) this.#schedule();
    }) as Promise<Result>;
  }

  #schedule(): void {
    this.#running = true;
    // After the requests that are already waiting to be handled in this turn, whose writes come along.
    setTimeout(() => void this.#flush(), 0);
  }

  async #flush(): Promise<void> {
    const jobs = this.#jobs;
    this.#jobs = [];
    try {
      const durable = jobs.some((job) => job.durable);
      const outcomes = await this.#connection.transact(() => this.#runAll(jobs), durable);
      for (const [index, job] of jobs.entries()) settle(job, outcomes[index]);
    } catch (error) {
      for (const job of jobs) job.reject(error);
    }
    if (this.#jobs.length > 0) this.#schedule();
    else this.#running = false;
  }

  #runAll(jobs: readonly Job[]): Outcome[] {
    return jobs.map((job) => {
      this.#connection.exec('savepoint job');
      try {
        const result = job.write();
        this.#connection.exec('release job');
        return { ok: true, result };
      } catch (error) {
        this.#connection.exec('rollback to job');
        this.#connection.exec('release job');
        return { ok: false, error };
      }
    });
  }
}

function settle(job: Job, outcome: Outcome | undefined): void {
  if (outcome === undefined) job.reject(new Error('The write was lost'));
  else if (outcome.ok) job.resolve(outcome.result);
  else job.reject(outcome.error);
}
