import type { Connection } from '../../support/postgres.js';

/** What a process that is going to die has to do, and where it dies. Travels as JSON. */
export interface Plan {
  readonly database: DatabasePlan;
  readonly serviceUrl: string;
  readonly act: { readonly kind: 'create' | 'refund' } | { readonly kind: 'webhook'; readonly body: string };
  readonly death: Death;
  /** Leaves the intent in memory until the service has answered, as a careless kit would. */
  readonly withoutIntent: boolean;
}

/** What an instance of the kill loop works on. Travels as JSON. */
export interface LoopPlan {
  readonly database: DatabasePlan;
  readonly serviceUrl: string;
}

export type DatabasePlan =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly connection: Connection; readonly serverPid: number };

/**
 * `commit`: at the nth commit, just before or just after it. `socket`: at the nth write to the database's socket.
 * `server`: there the database server dies instead. `none`: nobody dies here (strace may see to it from outside).
 */
export type Death =
  | { readonly kind: 'none' }
  | { readonly kind: 'commit' | 'socket'; readonly nth: number; readonly side: 'before' | 'after' }
  | { readonly kind: 'server'; readonly nth: number };

/** What it says on its standard output, a line of JSON each. */
export type Line =
  | { readonly line: 'answer'; readonly status: number; readonly text: string }
  /** It came through. `points` is how many places to die it passed. */
  | { readonly line: 'done'; readonly points: number };
