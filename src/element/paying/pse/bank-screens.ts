import { type TemplateResult, css, html, nothing } from 'lit';
import { formatMoment } from '../../../contract/values/moment.js';
import { addressOf } from '../../../machine/paying/attempts.js';
import type { Pending, Redirecting, Verifying } from '../../../machine/state.js';
import { safeAddress } from '../safe-address.js';
import type { PseContext } from '../context.js';
import { finishButton, help, mainButton, notice, result, sideButton } from '../../opening/common.js';
import { anotherMethod } from '../ways.js';
import { CLOCK, receiptActions } from '../outcomes/ending.js';
import { bankName, receipt } from '../outcomes/receipt.js';

/** The way to the bank or the hosted page, and back. */

export function redirecting({ attempt, offer, url }: Redirecting, context: PseContext): TemplateResult {
  const { messages } = context;
  const address = safeAddress(url, context.redirectHosts);
  const bank = bankName(attempt, offer);
  return html`<div class="body narrow" part="body">
    ${result('calm', null, messages.redirectingTitle(bank ?? messages.methodLink), messages.redirectingLead)}
    ${
      address === null
        ? nothing
        : html`<a class="btn" part="button" href=${address}
            >${attempt.kind === 'PAYMENT_LINK' ? messages.goToLink : messages.redirectLink}</a
          >`
    }
    <div class="also">${sideButton(messages.back, () => context.send({ type: 'back' }))}</div>
  </div>`;
}

/** Back from the bank: the outcome is being read, and every way on is there at once. */
export function verifying(screen: Verifying, context: PseContext): TemplateResult {
  const { messages, send } = context;
  const { attempt, offer, check } = screen;
  const link = attempt.kind === 'PAYMENT_LINK';
  const asking = check === 'ASKING' ? messages.checking : null;
  return html`<div class="body narrow" part="body">
    ${result('calm', null, link ? messages.verifyingTitleLink : messages.verifyingTitle, messages.verifyingLead)}
    ${check === 'NOTHING_YET' ? notice(messages.stillPending) : nothing}
    ${check === 'UNREACHABLE' ? notice(messages.trouble, 'caution') : nothing}
    ${mainButton(messages.verify, () => send({ type: 'check' }), asking)}
    <div class="row">
      ${
        addressOf(attempt) === null
          ? nothing
          : sideButton(link ? messages.goToLink : messages.continueToBank, () => send({ type: 'follow' }))
      }
      ${anotherMethod(attempt, context)}
    </div>
    ${receipt(attempt, offer, 'PENDING', context)} ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}

export function pending(screen: Pending, context: PseContext): TemplateResult {
  const { messages, send } = context;
  const { attempt, offer, url, blocked, check } = screen;
  const { supportPhone: phone, supportEmail: email } = attempt.merchant;
  const cus = attempt.sourceData?.cus ?? null;
  const asking = check === 'ASKING' ? messages.checking : null;
  const retryAt = blocked?.retryAtMs ?? null;
  // Why no other method can be had yet is what the payer has just asked.
  const lead =
    retryAt !== null
      ? messages.pseLocked(formatMoment(retryAt, messages.locale))
      : blocked
        ? messages.inProgress
        : messages.pendingLead;
  return html`<div class="body narrow" part="body">
    ${result('caution', CLOCK, messages.pendingTitle, lead)}
    ${check === 'NOTHING_YET' ? notice(messages.stillPending) : nothing}
    ${check === 'UNREACHABLE' ? notice(messages.trouble, 'caution') : nothing}
    ${mainButton(messages.checkStatus, () => send({ type: 'check' }), asking)}
    <div class="row">
      ${url === null ? nothing : sideButton(messages.continueToBank, () => send({ type: 'follow' }))}
      ${
        blocked
          ? sideButton(messages.notAuthorised, () =>
              send({ type: 'override', idempotencyKey: context.newKey() }),
            )
          : anotherMethod(attempt, context)
      }
    </div>
    ${receipt(attempt, offer, 'PENDING', context)}
    <p class="rule">
      ${messages.pendingPse({ reference: attempt.reference, phone, email, cus })}
      <b>${messages.pendingCheckDebit}.</b>
    </p>
    ${receiptActions(attempt, context, finishButton(context))}
    ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}

export const bankStyles = css`
  .rule {
    font-size: 0.875em;
    line-height: 1.5;
    color: var(--_text-muted);
  }
  .rule b {
    display: block;
    margin-block-start: 8px;
    color: var(--_text);
  }
`;
