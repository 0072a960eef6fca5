import { type TemplateResult, nothing } from 'lit';
import type { Failed } from '../../../machine/state.js';
import { sideButton } from '../../opening/common.js';
import { renderFailed, spoken } from '../../opening/failed.js';
import type { PayingContext } from '../context.js';

/** A payment could not be created, or the address it leads to is not safe. */
export function renderRefused(screen: Failed, context: PayingContext): TemplateResult {
  const { messages, others, send } = context;
  const other = others ? sideButton(messages.otherMethod, () => send({ type: 'another-method' })) : nothing;
  return renderFailed(screen, context, whyNot(screen, context), other);
}

function whyNot({ reason, doing }: Failed, { messages, others }: PayingContext): string | undefined {
  if (reason === 'unsafe_address') return `${messages.unsafeAddress} ${messages.payElsewhere(others)}`;
  const breb = doing.step === 'CREATE' && doing.choice.kind === 'PAYIN' && doing.choice.rail === 'BRE_B';
  return breb && spoken(reason) === 'refused'
    ? `${messages.brebRefused} ${messages.payElsewhere(others)}`
    : undefined;
}
