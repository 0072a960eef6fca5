import type { Clock } from '../../service/clock.js';
import type { Job } from './state.js';

/** Timers by kind and resource. A new job replaces the one of the same kind for the same resource. */
export interface Jobs {
  schedule(job: Job, dueAtMs: number): void;
  has(kind: Job['kind'], id: string): boolean;
  cancel(kind: Job['kind'], id: string): void;
  waiting(): { readonly dueAtMs: number; readonly job: Job }[];
  close(): void;
}

export function createJobs(clock: Clock, run: (job: Job) => void): Jobs {
  const waiting = new Map<string, { dueAtMs: number; job: Job; cancel: () => void }>();
  const remove = (key: string) => {
    waiting.get(key)?.cancel();
    waiting.delete(key);
  };

  return {
    schedule(job, dueAtMs) {
      const key = keyOf(job.kind, subjectOf(job));
      remove(key);
      const cancel = clock.setTimer(Math.max(0, dueAtMs - clock.now()), () => {
        waiting.delete(key);
        run(job);
      });
      waiting.set(key, { dueAtMs, job, cancel });
    },
    has: (kind, id) => waiting.has(keyOf(kind, id)),
    cancel: (kind, id) => remove(keyOf(kind, id)),
    waiting: () => [...waiting.values()].map(({ dueAtMs, job }) => ({ dueAtMs, job })),
    close() {
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
