import type { Connection } from '../../support/postgres.js';

/** What the process under test serves. Travels as JSON. */
export interface ServerPlan {
  /** `bare`: a route of Hono that returns the same bytes; `bare waiting`: one that holds them; `kit`: the checkout. */
  readonly app: 'bare' | 'bare waiting' | 'kit';
  readonly store: StorePlan;
  /** Where the sandbox listens. */
  readonly serviceUrl: string;
  /** How many orders there are to read; for the kit they are made, with an open payin, before it listens. */
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
  /** Of the heap, in use. */
  readonly heapBytes: number;
  readonly cpuMicros: number;
  /** How long the process was ready to run while its core ran others; undefined where the system does not tell. */
  readonly keptWaitingMicros: number | undefined;
  /** Requests that have not been answered yet. */
  readonly held: number;
}
