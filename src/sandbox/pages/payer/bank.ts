import type { Context } from 'hono';
import { html } from 'hono/html';
import { isFinal } from '../../../contract/status.js';
import type { Engine } from '../../service/engine.js';
import { icon } from '../icons.js';
import { type Html, returnAddress, seeOther, sentForm } from '../layout.js';
import { languageOf } from '../words.js';
import { decide, keepLanguage, result, statusAnswer, watchOf } from './payin.js';
import { bankName, choice, missingPage, payinFacts, renderPayerPage, summary } from './parts.js';
import { type Words, wordsIn } from './words.js';

/** The page behind `pseUrl`, where the payer decides what the bank answers. */
export function bankPage(engine: Engine, context: Context): Promise<Response> {
  const language = languageOf(context.req.raw);
  const words = wordsIn(language);
  const payin = engine.visitBank(context.req.param('token') ?? '');
  if (payin?.source.rail !== 'PSE') return missingPage(language, words);
  const leavesTo = returnAddress(payin.callbackUrl);
  return renderPayerPage({
    language,
    words,
    title: words.bankName,
    leavesTo,
    watch: watchOf(payin, `${payin.source.bankToken}/status`),
    card: html`${summary({
        icon: 'bank',
        name: words.bankName,
        detail: words.bankPlays(bankName(payin.source.bank)),
        record: payin,
        language,
      })}
      <div class="body">
        ${
          isFinal(payin.status)
            ? result(payin, leavesTo, language, words)
            : html`<div>
                  <h1>${words.bankTitle}</h1>
                  <p class="lead">${words.bankLead}</p>
                </div>
                ${payinFacts(payin, language, words)}
                <form method="post" class="stack">${bankChoices(words)}</form>
                <p class="note">${icon('lock')}${words.neverPassword}</p>`
        }
      </div>`,
  });
}

function bankChoices(words: Words): Html {
  return html`${choice({
    value: 'approve',
    icon: 'check',
    tone: 'positive',
    title: words.bankApprove,
    what: words.bankApproveWhat,
  })}${choice({
    value: 'reject',
    icon: 'cross',
    tone: 'negative',
    title: words.bankReject,
    what: words.bankRejectWhat,
  })}${choice({
    value: 'pending',
    icon: 'clock',
    tone: 'caution',
    title: words.bankPending,
    what: words.bankPendingWhat,
  })}${choice({ value: 'cancel', icon: 'minus', title: words.bankCancel, what: words.bankCancelWhat })}${choice(
    { value: 'back', icon: 'back', title: words.bankBack, what: words.bankBackWhat },
  )}`;
}

/** Handles the bank page's buttons. */
export async function bankAnswer(engine: Engine, context: Context): Promise<Response> {
  const language = languageOf(context.req.raw);
  const payin = engine.visitBank(context.req.param('token') ?? '');
  if (payin?.source.rail !== 'PSE') return missingPage(language, wordsIn(language));
  decide(engine, payin, (await sentForm(context)).get('action'));
  return seeOther(returnAddress(payin.callbackUrl) ?? keepLanguage(payin.source.bankToken, context));
}

export function bankStatus(engine: Engine, context: Context): Response {
  return statusAnswer(engine.visitBank(context.req.param('token') ?? ''));
}
