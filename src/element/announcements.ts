import type { Messages } from '../locales/messages.js';
import type { Announcement } from '../machine/effect.js';
import { currentOf } from '../machine/current.js';
import type { State } from '../machine/state.js';

/** What the live region says; null where silence is better. */
export function announcementText(message: Announcement, state: State, words: Messages): string | null {
  switch (message) {
    case 'idle':
      return null;
    case 'loading':
    case 'returning':
      return words.loading;
    case 'choosing':
      return words.chooseTitle;
    case 'details':
      return words.detailsTitlePse;
    case 'creating':
      return words.creatingPse;
    case 'preparing':
      return `${words.preparingTitle}. ${words.preparingLead}`;
    case 'paying':
      return `${words.brebTitle}. ${words.brebLeadKey}`;
    case 'redirecting':
      return words.redirectingLead;
    case 'verifying':
      return `${words.verifyingTitle}. ${words.verifyingLead}`;
    case 'pending':
      return `${words.pendingTitle}. ${words.pendingLead}`;
    case 'link':
      return `${words.linkTitle}. ${words.linkLead}`;
    case 'lapsed':
      return `${words.lapsedTitle}. ${words.lapsedLead}`;
    case 'confirmed':
      return `${words.confirmedTitle}. ${words.confirmedLead(currentOf(state.screen)?.merchant.name ?? '')}`;
    case 'amount-differs':
      return words.differsTitle;
    case 'duplicate':
      return words.duplicateTitle;
    case 'declined':
      return `${words.declinedTitle}. ${words.declinedLead}`;
    case 'canceled':
      return `${words.canceledTitle}. ${words.canceledLead}`;
    case 'failed':
      return words.errorTitle;
    case 'offer-changed':
      return null;
    case 'already-in-progress':
      return words.inProgress;
    case 'stalled':
      return words.stalledTitle;
    case 'checking':
      return words.checking;
    case 'nothing-yet':
      return state.screen.phase === 'paying' ? words.notYet : words.stillPending;
    case 'unreachable':
    case 'trouble':
      return words.trouble;
    case 'blocked':
      return words.inProgress;
    case 'offline':
      return words.offline;
    case 'online':
      return null;
    case 'fix-fields':
      return words.errorSummary(state.screen.phase === 'details' ? state.screen.problems.length : 1);
    default:
      throw new TypeError(`Unknown announcement: ${String(message satisfies never)}`);
  }
}
