import type { Clock } from '../../service/clock.js';
import type { Job } from './state.js';

export type Jobs = ReturnType<typeof createJobs>;

/** Timers by kind and resource. A new job replaces the one of the same kind for the same resource. */
export function createJobs(clock: Clock, run: (job: Job) => void) {
  const waiting = new Map<string, { dueAtMs: number; job: Job; cancel: () => void }>();
  const remove = (key: string) => {
    waiting.get(key)?.cancel();
    waiting.delete(key);
  };

  return {
    schedule(job: Job, dueAtMs: number): void {
      const key = keyOf(job.kind, subjectOf(job));
      remove(key);
      const cancel = clock.setTimer(Math.max(0, dueAtMs - clock.now()), () => {
        waiting.delete(key);
        run(job);
      });
      waiting.set(key, { dueAtMs, job, cancel });
    },
    has: (kind: Job['kind'], id: string) => waiting.has(keyOf(kind, id)),
    cancel: (kind: Job['kind'], id: string) => remove(keyOf(kind, id)),
    waiting: () => [...waiting.values()].map(({ dueAtMs, job }) => ({ dueAtMs, job })),
    close(): void {
      for (const key of [...waiting.keys()]) remove(key);
    },
  };
}

const keyOf = (kind: Job['kind'], id: string) => `${kind} ${id}`;

function subjectOf(job: Job): string {
  switch (job.kind) {
    case 'show-pse-url':
    case 'charge-back':
      return job.payinId;
    case 'decide':
    case 'settle':
      return job.id;
    case 'expire-link':
      return job.linkId;
    case 'deliver':
      return job.deliveryId;
    default:
      return job satisfies never;
  }
}
