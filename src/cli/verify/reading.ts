import { fail, pass, skip } from '../checks.js';
import { attemptIn, isFinding, payinPath, type Step } from './visit.js';

/** Status reads, and how they wait. */

const status: Step = {
  id: 'status',
  title: 'The payin can be read',
  needs: ['create'],
  advice: 'Answer GET /payins/{id} with the same payin as its creation did, as it stands now.',
  async run(visit) {
    if (visit.attempt === undefined) return skip('there is no payin');
    const { id, amountInCents } = visit.attempt;
    const now = attemptIn(visit, await visit.probe.send(payinPath(id)));
    if (isFinding(now)) return now;
    if (now.id !== id) return fail(`asked for ${id}, got ${now.id}`);
    if (now.amountInCents !== amountInCents) return fail(`the amount became ${now.amountInCents} cents`);
    visit.attempt = now;
    return pass(now.status);
  },
};

const WAIT_SECONDS = 2;
/** Timers may fire a little early. */
const HELD_AT_LEAST_MS = WAIT_SECONDS * 800;
const WAITING_TRIES = 5;

const waiting: Step = {
  id: 'waiting',
  title: 'A read waits for news when asked to',
  needs: ['create'],
  advice:
    'Hold GET /payins/{id}?after={version}&wait={seconds} while the version is `after`, then answer with waited: true.',
  async run(visit) {
    if (visit.attempt === undefined) return skip('there is no payin');
    let isSlow = false;
    for (let tries = 0; tries < WAITING_TRIES; tries++) {
      const { id, version } = visit.attempt;
      const query = `?after=${encodeURIComponent(version ?? 'none')}&wait=${WAIT_SECONDS}`;
      const answer = await visit.probe.send(payinPath(id) + query);
      const now = attemptIn(visit, answer);
      if (isFinding(now)) return now;
      if (visit.level === 'basic') return pass(now.waited ? 'it waits' : 'the parameters are ignored');
      if (now.version === version) {
        if (!now.waited) return fail('answered without waited: true');
        const heldMs = Math.round(answer.tookMs);
        if (heldMs < HELD_AT_LEAST_MS)
          return fail(`says waited, but answered after ${heldMs} ms with nothing new`);
        // A backend that takes as long for any other read has not shown that it waits: it is measured again.
        const plain = await visit.probe.send(payinPath(id));
        if (heldMs - plain.tookMs >= HELD_AT_LEAST_MS) return pass(`held for ${heldMs} ms`);
        isSlow = true;
      }
      visit.attempt = now;
    }
    if (isSlow) return fail('every answer takes so long that it cannot be seen whether this one was held');
    return fail(
      'the version differs at every read',
      'Change `version` only when something changed that the payer can see.',
    );
  },
};

const LONG_WAIT_SECONDS = 20;
/** Enough for a slow backend, and far from what a held answer would take. */
const AT_ONCE_MS = 10_000;

const conditional: Step = {
  id: 'conditional',
  title: 'A read that already has news is answered at once',
  needs: ['create'],
  advice: 'Compare `after` with the current version first, and hold the answer only when they are the same.',
  async run(visit) {
    if (visit.attempt === undefined) return skip('there is no payin');
    const query = `?after=an-old-version&wait=${LONG_WAIT_SECONDS}`;
    const answer = await visit.probe.send(payinPath(visit.attempt.id) + query);
    const now = attemptIn(visit, answer);
    if (isFinding(now)) return now;
    const tookMs = Math.round(answer.tookMs);
    return tookMs < AT_ONCE_MS ? pass(`${tookMs} ms`) : fail(`held for ${tookMs} ms although there was news`);
  },
};

export const READING: readonly Step[] = [status, waiting, conditional];
