import type { Context } from 'hono';
import { html } from 'hono/html';
import { isFinal } from '../../contract/status.js';
import { bankName } from '../../contract/payer/bank-list.js';
import type { Engine } from '../service/engine.js';
import type { Outcome } from '../service/state.js';
import { icon } from './icons.js';
import { type Html, returnAddress, seeOther, sentForm } from './layout.js';
import { decide, keepLanguage, result, statusAnswer, watchOf } from './payin.js';
import { choice, type ChoiceContent, missingPage, payinFacts, renderPayerPage, summary } from './parts.js';
import { languageOf, type Words, WORDS } from './words.js';

/** The page behind `pseUrl`, where the payer decides what the bank answers. */
export function bankPage(engine: Engine, context: Context): Promise<Response> {
  const language = languageOf(context.req.raw);
  const words = WORDS[language];
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

/** What the payer may decide at the bank, here and in the simulator. No outcome leaves the payin as it is. */
export const BANK_CHOICES = [
  {
    value: 'approve',
    icon: 'check',
    tone: 'positive',
    title: 'bankApprove',
    what: 'bankApproveWhat',
    outcome: 'CONFIRMED',
  },
  {
    value: 'reject',
    icon: 'cross',
    tone: 'negative',
    title: 'bankReject',
    what: 'bankRejectWhat',
    outcome: 'DECLINED',
  },
  {
    value: 'pending',
    icon: 'clock',
    tone: 'caution',
    title: 'bankPending',
    what: 'bankPendingWhat',
    outcome: null,
  },
  {
    value: 'cancel',
    icon: 'minus',
    tone: '',
    title: 'bankCancel',
    what: 'bankCancelWhat',
    outcome: 'CANCELED',
  },
  { value: 'back', icon: 'back', tone: '', title: 'bankBack', what: 'bankBackWhat', outcome: null },
] as const satisfies readonly (Omit<ChoiceContent, 'title' | 'what'> & {
  readonly title: keyof Words;
  readonly what: keyof Words;
  readonly outcome: Outcome | null;
})[];

function bankChoices(words: Words): Html[] {
  return BANK_CHOICES.map((each) => choice({ ...each, title: words[each.title], what: words[each.what] }));
}

/** Handles the bank page's buttons. */
export async function bankAnswer(engine: Engine, context: Context): Promise<Response> {
  const language = languageOf(context.req.raw);
  const payin = engine.visitBank(context.req.param('token') ?? '');
  if (payin?.source.rail !== 'PSE') return missingPage(language, WORDS[language]);
  decide(engine, payin, (await sentForm(context)).get('action'));
  return seeOther(returnAddress(payin.callbackUrl) ?? keepLanguage(payin.source.bankToken, context));
}

export function bankStatus(engine: Engine, context: Context): Response {
  return statusAnswer(engine.visitBank(context.req.param('token') ?? ''));
}
