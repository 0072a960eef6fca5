import type { Connection } from '../support/postgres.js';

/** What the process under test serves. Travels as JSON. */
export interface ServerPlan {
  /** `bare`: a route of Hono that returns the same bytes; `kit`: the checkout. */
  readonly app: 'bare' | 'kit';
  readonly store: StorePlan;
  /** Where the sandbox listens. */
  readonly serviceUrl: string;
  /** How many orders with an open payin there are to read; made by this process before it listens. */
  readonly orders: number;
  /** The kit's own default when absent. */
  readonly serviceReadsPerSecond?: number;
}

export type StorePlan =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly connection: Connection };

export interface Seeded {
  /** The attempt's id, by which a payer reads it. */
  readonly id: string;
  readonly reference: string;
  readonly version: string;
}

/** `collected usage` comes after a collection of garbage, which takes long when much is held. */
export type ToServer = 'usage' | 'collected usage' | 'stop';

export type FromServer =
  | { readonly say: 'ready'; readonly port: number; readonly seeded: readonly Seeded[] }
  | ({ readonly say: 'usage' } & Usage);

export interface Usage {
  readonly residentBytes: number;
  readonly cpuMicros: number;
  /** Requests that have not been answered yet. */
  readonly held: number;
}
