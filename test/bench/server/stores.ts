import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, whyNoPostgres } from '../../support/postgres.js';
import type { StorePlan } from './plan.js';

/** Fresh stores to measure on. Files and servers are gone with `close`. */
export interface Stores {
  memory(): StorePlan;
  sqlite(): StorePlan;
  postgres(): Promise<StorePlan>;
  /** Why there is no PostgreSQL, or undefined when there is. */
  readonly noPostgres: string | undefined;
  close(): void;
}

export async function openStores({ postgres }: { readonly postgres: boolean }): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-bench-'));
  const noPostgres = postgres ? whyNoPostgres() : 'not asked for';
  const cluster = noPostgres === undefined ? await Cluster.start({ fsync: true }) : undefined;
  let files = 0;
  return {
    memory: () => ({ kind: 'memory' }),
    sqlite: () => ({ kind: 'sqlite', path: join(folder, `${files++}.db`) }),
    async postgres() {
      if (cluster === undefined) throw new Error(`PostgreSQL cannot be measured: ${noPostgres ?? ''}`);
      return { kind: 'postgres', connection: await cluster.createSchema() };
    },
    noPostgres,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
