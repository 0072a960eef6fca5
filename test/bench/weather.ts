import { procFile } from './proc.js';

/**
 * How long this process's main thread was ready to run while its core ran something else: on a machine that has other
 * things to do, latencies hold that too. Linux alone tells.
 */
export function keptWaitingMicros(): number | undefined {
  const [, nanoseconds] = procFile('self/schedstat')?.split(' ') ?? [];
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1_000;
}

/** More than this taken by others and a figure says more of them than of what was measured. */
const MOST_TAKEN = 0.1;
const MOST_TRIES = 4;

/** What other machines on the same host take from this one. Linux alone tells; elsewhere every figure counts. */
export class Neighbours {
  #again = 0;
  /** Undefined until the system has told. */
  #mostTaken: number | undefined;

  /** Measures again what they disturbed. The last try counts as it is. */
  async undisturbed<Figure>(measure: () => Promise<Figure>): Promise<Figure> {
    for (let tries = 1; ; tries++) {
      const before = machineTicks();
      const figure = await measure();
      const after = machineTicks();
      const taken = after.taken - before.taken;
      const share = taken / (after.used - before.used + taken);
      const disturbed = share > MOST_TAKEN;
      if (!disturbed || tries === MOST_TRIES) {
        if (!Number.isNaN(share)) this.#mostTaken = Math.max(share, this.#mostTaken ?? 0);
        return figure;
      }
      this.#again++;
      console.error(`    again: other machines on the host took ${percent(share)} of the processor`);
    }
  }

  /** For the report, so that a reader knows what the figures are worth. */
  toString(): string {
    return this.#mostTaken === undefined
      ? 'This system does not tell what other machines on the host took of the processor.'
      : `Other machines on the host took at most ${percent(this.#mostTaken)} of the processor while a figure was taken. It was measured again ${this.#again} times because that was more than ${percent(MOST_TAKEN)}; the last of ${MOST_TRIES} tries counts as it is.`;
  }
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** The columns of user and system, and of what was stolen; NaN where there are none. */
function machineTicks(): { readonly used: number; readonly taken: number } {
  const [, user, , system, , , , , stolen] = procFile('stat')?.split(/\s+/, 9).map(Number) ?? [];
  return { used: Number(user) + Number(system), taken: Number(stolen) };
}
