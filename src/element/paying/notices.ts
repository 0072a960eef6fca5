import { html, nothing } from 'lit';
import { formatMoney } from '../../contract/values/money.js';
import { currentOf, isOpen, offerOf } from '../../machine/current.js';
import { amountChanged } from '../../machine/paying/attempts.js';
import type { State } from '../../machine/state.js';
import { type Drawn, notice, withMoney } from '../opening/common.js';
import type { PayingContext } from './context.js';

/** Facts that may accompany any screen. What the machine announces is said by the live region, not by these. */
export function notices(state: State, { messages }: PayingContext): Drawn {
  const { screen, connection } = state;
  const shown: Drawn[] = [];
  const said = screen.phase === 'failed' && screen.reason === 'network';
  if (connection === 'OFFLINE' && !said) {
    shown.push(notice(screen.phase === 'paying' ? messages.offlinePaying : messages.offline, 'caution'));
  } else if (connection === 'TROUBLE' && !('check' in screen && screen.check === 'UNREACHABLE'))
    shown.push(notice(messages.trouble, 'caution'));
  if ('attempt' in screen && screen.attempt.replaced && isOpen(screen.attempt)) {
    shown.push(notice(messages.replacedElsewhere, 'caution'));
  }
  if ('alreadyInProgress' in screen && screen.alreadyInProgress) shown.push(notice(messages.inProgress));
  const offer = offerOf(screen);
  if (offer && (amountChanged(state) || ('changed' in screen && screen.changed))) {
    const { amountInCents, currency } = offer;
    const changed = messages.amountChanged(formatMoney(amountInCents, currency, messages.locale));
    shown.push(notice(withMoney(changed, [amountInCents], currency, messages), 'caution'));
  }
  const current = currentOf(screen);
  const { paidInCents, state: verdict } = current?.settlement ?? {};
  if (current && paidInCents !== undefined && (verdict === 'OPEN' || !('attempt' in screen))) {
    const received = messages.payingRest(formatMoney(paidInCents, current.currency, messages.locale));
    shown.push(notice(withMoney(received, [paidInCents], current.currency, messages)));
  }
  if (screen.phase === 'creating' && screen.slowAtMs === null) shown.push(notice(messages.creatingSlow));
  if ('check' in screen && state.older.some(isOpen)) shown.push(notice(messages.earlierWatched));
  return shown.length > 0 ? html`<div class="notices">${shown}</div>` : nothing;
}
