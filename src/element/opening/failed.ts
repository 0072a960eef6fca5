import { type TemplateResult, html, nothing } from 'lit';
import type { ErrorReason, OpeningMessages } from '../../locales/messages.js';
import type { FailureReason } from '../../machine/input.js';
import { currentOf, offerOf } from '../../machine/current.js';
import type { Failed } from '../../machine/state.js';
import type { ViewContext } from '../host.js';
import { ALERT, type Drawn, finishButton, help, mainButton, result, sideButton } from './common.js';

/**
 * What went wrong, and the ways on. Where a file of the second act could not be fetched the page is loaded anew, and the
 * checkout goes on where it was; where trying again cannot help the payer goes back to the shop. `other` is the second
 * act's way to another method.
 */
export function renderFailed(
  screen: Failed,
  context: ViewContext,
  text = textOf(screen.reason, context.messages),
  other: Drawn = nothing,
): TemplateResult {
  const { messages, send } = context;
  const { reason } = screen;
  const current = currentOf(screen);
  const merchant = offerOf(screen)?.merchant ?? current?.merchant;
  const isMissing = reason === 'part_missing';
  return html`<div class="body" part="body">
    ${result('caution', ALERT, messages.errorTitle, text)}
    <div class="row">
      ${
        isMissing
          ? mainButton(messages.reload, () => location.reload())
          : hopeless.has(reason)
            ? finishButton(context, true)
            : mainButton(messages.retry, () => send({ type: 'retry', idempotencyKey: context.newKey() }))
      }
      ${other} ${current && !isMissing ? sideButton(messages.back, () => send({ type: 'back' })) : nothing}
    </div>
    ${merchant ? help(merchant, messages, current?.reference ?? null) : nothing}
  </div>`;
}

/** Trying the same again cannot help. */
const hopeless = new Set<FailureReason>([
  'not_found',
  'too_many_attempts',
  'no_methods',
  'misconfigured',
  'unsafe_address',
]);

function textOf(reason: FailureReason, messages: OpeningMessages): string {
  if (reason === 'part_missing') return messages.partMissing;
  return reason === 'no_methods' ? messages.noMethods : messages.errors[spoken(reason)];
}

export function spoken(reason: FailureReason): ErrorReason {
  switch (reason) {
    case 'not_found':
      return 'notFound';
    case 'network':
      return 'network';
    case 'service_unavailable':
    case 'store_unavailable':
      return 'unavailable';
    case 'rate_limited':
      return 'busy';
    case 'too_many_attempts':
      return 'tooManyAttempts';
    case 'service_refused':
    case 'method_unavailable':
      return 'refused';
    case 'misconfigured':
    case 'origin_not_allowed':
    case 'return_url_not_allowed':
      return 'setup';
    default:
      return 'unexpected';
  }
}
