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
