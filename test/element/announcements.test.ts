import assert from 'node:assert/strict';
import { it } from 'vitest';
import { announcementText } from '../../src/element/paying/announcements.js';
import { es } from '../../src/locales/es.js';
import type { Announcement } from '../../src/machine/effect.js';
import { type Screen, type State, initialState } from '../../src/machine/state.js';
import { breb, offer, pse } from '../machine/fixtures.js';

const at = (screen: object): State => ({ ...initialState, screen: screen as Screen });
const key = at({ phase: 'paying', attempt: breb() });
const bank = at({ phase: 'pending', attempt: pse() });
const choosing = at({ phase: 'choosing', offer: offer({ amountInCents: 4_000_000 }) });

it('what happens on a screen is said in the words of what is paid with', () => {
  const said: readonly (readonly [Announcement, State, string | null])[] = [
    ['offer-changed', choosing, es.amountChanged('40.000 pesos colombianos')],
    ['offer-changed', at({ phase: 'idle' }), null],
    ['blocked', key, es.inProgress],
    ['stalled', at({ phase: 'creating' }), es.creatingSlow],
    ['stalled', key, es.stalledBrebTitle],
    ['stalled', bank, es.stalledTitle],
    ['checking', bank, es.checking],
    ['nothing-yet', key, es.notYet],
    ['nothing-yet', bank, es.stillPending],
    ['offline', key, es.offline],
    ['unreachable', key, es.trouble],
    ['trouble', key, es.trouble],
    ['fix-fields', at({ phase: 'details', problems: [{}, {}, {}] }), es.errorSummary(3)],
    ['fix-fields', choosing, es.errorSummary(1)],
    ['paying', key, null],
  ];
  for (const [message, state, text] of said)
    assert.equal(announcementText(message, state, es), text, message);
});
