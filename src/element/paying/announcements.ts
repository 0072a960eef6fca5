import { spokenMoney } from '../../contract/values/money.js';
import type { Words } from './context.js';
import { offerOf } from '../../machine/current.js';
import type { Announcement } from '../../machine/effect.js';
import type { State } from '../../machine/state.js';

/** What the live region says when something happens on a screen. Screens speak by their own titles. */
export function announcementText(message: Announcement, { screen }: State, words: Words): string | null {
  const breb = 'attempt' in screen && screen.attempt.kind === 'PAYIN' && screen.attempt.rail === 'BRE_B';
  switch (message) {
    case 'offer-changed': {
      const offer = offerOf(screen);
      return offer && words.amountChanged(spokenMoney(offer.amountInCents, offer.currency, words.locale));
    }
    case 'blocked':
      return words.inProgress;
    case 'stalled':
      if (screen.phase === 'creating') return words.creatingSlow;
      return breb ? words.stalledBrebTitle : words.stalledTitle;
    case 'checking':
      return words.checking;
    case 'nothing-yet':
      return breb ? words.notYet : words.stillPending;
    case 'offline':
      return words.offline;
    case 'unreachable':
    case 'trouble':
      return words.trouble;
    case 'fix-fields':
      return words.errorSummary(screen.phase === 'details' ? screen.problems.length : 1);
    default:
      return null;
  }
}
