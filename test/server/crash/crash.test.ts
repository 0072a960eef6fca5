import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { onSqlite } from './databases.js';
import type { Life } from './harness.js';
import { live } from './harness.js';
import { defectsOf, liveAll, placesOf, RARER, SCENARIOS, type Scenario, sidesOf, survivors } from './runs.js';
import { skipWhen } from '../../support/skip-when.js';
import { itLong } from '../../support/it-long.js';

const syscalls = 'pwrite64,fsync,fdatasync,ftruncate';
const atOnce = 2;

for (const scenario of SCENARIOS) {
  test(`killed around commits of ${doing(scenario)}, nothing is lost, doubled or stuck`, async () => {
    const commits = await countCommits(scenario);
    const lives = placesOf(commits, 3).flatMap((nth, index) =>
      sidesOf(index).map((side) => sqliteLife(scenario, { kind: 'commit', nth, side })),
    );
    const findings = await liveAll(lives, atOnce);
    console.log(`${findings.length} deaths at ${commits} commits of ${doing(scenario)}`);
    assert.deepEqual(defectsOf(findings), []);
    // Writes that come together share a commit, and how many do varies with the speed of the life that was counted:
    // only the last place may not be reached.
    const reachable = survivors(findings).filter((place) => !place.endsWith(` commit ${commits}`));
    assert.deepEqual(reachable, []);
  });
}

for (const scenario of RARER) {
  test(
    `killed at writes and syncs of the file during ${doing(scenario)}, nothing is lost, doubled or stuck`,
    skipWhen(whyWithout('strace')),
    async () => {
      const calls = await countSyscalls(scenario);
      const lives = placesOf(calls, 2).map((nth) => ({
        place: `${scenario}, write or sync ${nth} of ${calls}`,
        life: (run: typeof live) =>
          onSqlite((database) =>
            run({
              database,
              scenario,
              death: { kind: 'none' },
              wrap: strace(['-o', '/dev/null', '-e', `inject=${syscalls}:signal=KILL:when=${nth}`]),
            }),
          ),
      }));
      const findings = await liveAll(lives, atOnce);
      console.log(`${findings.length} deaths at ${calls} writes and syncs of ${doing(scenario)}`);
      assert.deepEqual(defectsOf(findings), []);
      // How many pages a life writes varies a little with the ids it draws: only the last places may not be reached.
      assert.ok(survivors(findings).length <= Math.max(1, findings.length * 0.1));
    },
  );
}

test('the same deaths find what a kit that stores no intent before it calls would lose', async () => {
  const found = await firstDefect('create', 'before', 'without intent');
  assert.match(found, /lost: somebody paid and the merchant was never told/);
});

itLong('the same deaths find what a kit that never reconciles would leave behind', async () => {
  const found = await firstDefect('webhook', 'after', 'without reconciling');
  assert.match(found, /lost: 0 settlements of one paid order/);
});

/** Dies at one commit after the other until something is found to be wrong. */
async function firstDefect(
  scenario: Scenario,
  side: 'before' | 'after',
  planted: 'without intent' | 'without reconciling',
): Promise<string> {
  for (let nth = 1; ; nth++) {
    const { life, place } = sqliteLife(scenario, { kind: 'commit', nth, side }, planted);
    const { points, defects } = await life(live);
    if (defects.length > 0) return `${place}: ${defects.join(', ')}`;
    assert.equal(points, undefined, `it came through ${nth - 1} deaths with nothing to show for it`);
  }
}

function doing(scenario: Scenario): string {
  return { create: 'creating', webhook: 'handling a webhook', refund: 'giving money back' }[scenario];
}

function sqliteLife(
  scenario: Scenario,
  death: Extract<Life['death'], { nth: number; side: unknown }>,
  planted?: Life['planted'],
) {
  return {
    place: `${scenario}, ${death.side} commit ${death.nth}`,
    life: (run: typeof live) =>
      onSqlite((database) =>
        run({ database, scenario, death, ...(planted === undefined ? {} : { planted }) }),
      ),
  };
}

/** A life that nobody ends, to count the places; it has to go well, too. */
async function countCommits(scenario: Scenario): Promise<number> {
  const { points, defects } = await onSqlite((database) =>
    live({ database, scenario, death: { kind: 'none' } }),
  );
  assert.deepEqual(defects, []);
  assert.ok(points !== undefined && points >= 3, `${String(points)} commits`);
  return points;
}

async function countSyscalls(scenario: Scenario): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-strace-'));
  const log = join(folder, 'calls');
  try {
    const { defects } = await onSqlite((database) =>
      live({ database, scenario, death: { kind: 'none' }, wrap: strace(['-o', log]) }),
    );
    assert.deepEqual(defects, []);
    // Counted by thread, as strace does when it is told to interfere at the nth.
    const counts = new Map<string, number>();
    for (const line of readFileSync(log, 'utf8').split('\n')) {
      const [thread = '', call = ''] = line.split(/\s+/);
      if (call !== '') counts.set(thread, (counts.get(thread) ?? 0) + 1);
    }
    return Math.max(...counts.values());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function strace(more: readonly string[]): string[] {
  return ['strace', '-f', '-qq', '-e', `trace=${syscalls}`, '-e', 'signal=none', ...more];
}
