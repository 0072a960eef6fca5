import { type TemplateResult, html, nothing } from 'lit';
import type { ErrorReason } from '../../locales/messages.js';
import type { FailureReason } from '../../machine/input.js';
import { currentOf, offerOf } from '../../machine/current.js';
import type { Failed } from '../../machine/state.js';
import type { ViewContext } from '../host.js';
import { ALERT, help, mainButton, result, sideButton } from './common.js';

/**
 * In place of what the second act would show, where it could not be fetched. The page is loaded anew; the checkout goes on
 * where it was.
 */
function renderMissing(screen: Failed, { messages }: ViewContext): TemplateResult {
  const current = currentOf(screen);
  const merchant = current?.merchant ?? offerOf(screen)?.merchant;
  return html`<div class="body" part="body">
    ${result('caution', ALERT, messages.errorTitle, messages.partMissing)}
    <div class="row">${mainButton(messages.reload, () => location.reload())}</div>
    ${merchant ? help(merchant, messages, current?.reference ?? null) : nothing}
  </div>`;
}

export function renderFailed(screen: Failed, context: ViewContext): TemplateResult {
  if (screen.reason === 'part_missing') return renderMissing(screen, context);
  const { messages, send } = context;
  const { reason, doing } = screen;
  const offer = offerOf(screen);
  const current = currentOf(screen);
  const merchant = offer?.merchant ?? current?.merchant;
  const refusedBreb =
    spoken(reason) === 'refused' &&
    doing.step === 'CREATE' &&
    doing.choice.kind === 'PAYIN' &&
    doing.choice.rail === 'BRE_B';
  const elsewhere = messages.payElsewhere(context.others);
  const text =
    reason === 'no_methods'
      ? messages.noMethods
      : reason === 'unsafe_address'
        ? `${messages.unsafeAddress} ${elsewhere}`
        : refusedBreb
          ? `${messages.brebRefused} ${elsewhere}`
          : messages.errors[spoken(reason)];
  return html`<div class="body" part="body">
    ${result('caution', ALERT, messages.errorTitle, text)}
    <div class="row">
      ${
        hopeless.has(reason)
          ? mainButton(messages.finish, () => send({ type: 'finish' }))
          : mainButton(messages.retry, () => send({ type: 'retry', idempotencyKey: context.newKey() }))
      }
      ${
        doing.step === 'LOAD' || !context.others
          ? nothing
          : sideButton(messages.otherMethod, () => send({ type: 'another-method' }))
      }
      ${current ? sideButton(messages.back, () => send({ type: 'back' })) : nothing}
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

function spoken(reason: FailureReason): ErrorReason {
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
