import { type TemplateResult, html, nothing } from 'lit';
import type { Lapsed, Preparing } from '../../machine/state.js';
import { help, mainButton, result, sideButton } from '../opening/common.js';
import type { PayingContext } from './context.js';
import { CLOCK } from './outcomes/ending.js';
import { anotherMethod } from './ways.js';

/** What every method shows before there is something to pay with, and once that has expired; each in its own words. */

export const renderWaiting = (title: string, lead: string | typeof nothing = nothing): TemplateResult =>
  html`<div class="body narrow" part="body">${result('calm', null, title, lead)}</div>`;

interface PreparingWords {
  readonly title: string;
  readonly lead?: string;
  readonly stalledTitle: string;
  readonly stalledLead: string;
}

export function renderPreparing(
  { attempt, stalled }: Preparing,
  context: PayingContext,
  words: PreparingWords,
): TemplateResult {
  const { messages, send } = context;
  if (!stalled) return renderWaiting(words.title, words.lead);
  return html`<div class="body narrow" part="body">
    ${result('caution', CLOCK, words.stalledTitle, words.stalledLead)}
    <div class="row">
      ${mainButton(messages.retry, () => send({ type: 'retry', idempotencyKey: context.newKey() }))}
      ${anotherMethod(attempt, context)}
    </div>
    ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}

interface LapsedWords {
  readonly title: string;
  readonly lead: string;
  readonly again: string;
}

export function renderLapsed(
  { attempt, checkingUntilMs }: Lapsed,
  context: PayingContext,
  { title, lead, again }: LapsedWords,
): TemplateResult {
  const { messages, send } = context;
  const renew = () => send({ type: 'renew', idempotencyKey: context.newKey() });
  return html`<div class="body narrow" part="body">
    ${
      checkingUntilMs === null
        ? result('caution', CLOCK, title, lead)
        : result('calm', null, title, messages.lapseChecking)
    }
    <div class="row">${mainButton(again, renew)} ${anotherMethod(attempt, context)}</div>
    <div class="also">${sideButton(messages.alreadyPaid, () => send({ type: 'check' }))}</div>
    ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}
