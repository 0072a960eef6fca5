import { readFileSync } from 'node:fs';

/**
 * How long this process's main thread was ready to run while its core ran something else: on a machine that has other
 * things to do, latencies hold that too. Linux alone tells.
 */
export function keptWaitingMicros(): number | undefined {
  try {
    const [, nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1_000;
  } catch {
    return undefined;
  }
}

/** More than this taken by others and a figure says more of them than of what was measured. */
const MOST_TAKEN = 0.1;
const MOST_TRIES = 4;

/** What other machines on the same host take from this one. Linux alone tells; elsewhere every figure counts. */
export class Neighbours {
  #again = 0;
  #mostTaken = 0;

  /** Measures again what they disturbed. The last try counts as it is. */
  async undisturbed<Figure>(measure: () => Promise<Figure>): Promise<Figure> {
    for (let tries = 1; ; tries++) {
      const before = machineTicks();
      const figure = await measure();
      const after = machineTicks();
      const taken = after.taken - before.taken;
      const share = taken / (after.used - before.used + taken);
      if (share > MOST_TAKEN && tries < MOST_TRIES) {
        this.#again++;
        console.error(`    again: other machines on the host took ${percent(share)} of the processor`);
        continue;
      }
      if (share > this.#mostTaken) this.#mostTaken = share;
      return figure;
    }
  }

  /** For the report, so that a reader knows what the figures are worth. */
  toString(): string {
    return `Other machines on the host took at most ${percent(this.#mostTaken)} of the processor while a figure was taken. ${this.#again} figures were taken again because it was more than ${percent(MOST_TAKEN)}; the last of ${MOST_TRIES} tries counts as it is.`;
  }
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** The columns of user and system, and of what was stolen; NaN where there are none. */
function machineTicks(): { readonly used: number; readonly taken: number } {
  try {
    const [, user, , system, , , , , stolen] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9).map(Number);
    return { used: Number(user) + Number(system), taken: Number(stolen) };
  } catch {
    return { used: NaN, taken: NaN };
  }
}
