import type { Attempt } from '../../src/contract/backend.js';
import { type ReadOptions, TransportError } from '../../src/transport/port.js';
import { createWatcher } from '../../src/transport/watcher.js';
import { breb } from '../machine/fixtures.js';
import { FakeSurroundings } from './fake-surroundings.js';

export const target = { kind: 'PAYIN', id: 'breb-1' } as const;
export const watched = { ...target, version: 'v1' };
export const MINUTE_MS = 60_000;

type Call = ReadOptions & { readonly atMs: number; readonly id: string };
export type Backend = (call: Call, page: FakeSurroundings) => Promise<Attempt>;

export const answers: Backend = () => Promise.resolve(breb());
export const answersLate: Backend = (_call, page) =>
  new Promise((resolve) => page.after(200, () => resolve(breb())));
/** Holds every waiting read for its whole time. */
export const holds: Backend = (call, page) => {
  if (call.after === undefined) return Promise.resolve(breb({ waited: true }));
  return new Promise((resolve, reject) => {
    const cancel = page.after(25_000, () => resolve(breb({ waited: true })));
    call.signal.addEventListener('abort', () => {
      cancel();
      reject(new DOMException('', 'AbortError'));
    });
  });
};
export const fails: Backend = () => Promise.reject(new TransportError('NETWORK'));

/** A watcher of a backend, on a page that the test decides about, and all that was asked and told. */
export function setUp(backend: Backend) {
  const page = new FakeSurroundings();
  const calls: Call[] = [];
  const told: string[] = [];
  const world = { backend, inFlight: 0, mostInFlight: 0 };
  const watcher = createWatcher(
    async ({ id }, options) => {
      const call = { ...options, id, atMs: page.nowMs() };
      calls.push(call);
      world.mostInFlight = Math.max(world.mostInFlight, ++world.inFlight);
      call.signal.addEventListener('abort', () => world.inFlight--);
      try {
        return await world.backend(call, page);
      } finally {
        if (!call.signal.aborted) world.inFlight--;
      }
    },
    {
      arrived: (id, attempt) => told.push(`arrived ${id} ${attempt.version}`),
      missing: (id) => told.push(`missing ${id}`),
      failed: (id, failures) => told.push(`failed ${id} ${failures}`),
    },
    page,
  );
  const times = () => calls.map(({ atMs }) => atMs);
  return { page, calls, told, world, watcher, times };
}
