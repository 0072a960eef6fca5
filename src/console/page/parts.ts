import { html, nothing } from 'lit';
import type { PayinRow } from '../../contract/merchant/console.js';
import type { PayoutView } from '../../contract/merchant/payouts.js';
import type { AttemptSummary } from '../../contract/merchant/sales.js';
import { moment, money } from '../../look/parts/format.js';
import { reasonWords } from '../../look/reasons.js';
import { chip, type Content, copyable, factList } from '../../look/parts/parts.js';
import { toRoute } from './route.js';
import type { Shell } from './screen.js';
import type { Fact } from './words/words.js';

/** What several of the console's screens show, built from the parts that all pages share. */

export function amount(amountInCents: number | null, { words, language }: Shell): string {
  return amountInCents === null ? words.noValue : money(amountInCents, language);
}

/** Why it ended, in words; the code is in a tooltip. */
export function reasonLine({ language }: Shell, code: string | null): Content | null {
  return code === null ? null : html`<span title=${code}>${reasonWords(code, language)}</span>`;
}

/** What arrived, never what was asked for: `$ 38.610 de $ 42.900 · faltan $ 4.290` when something is missing. */
export function received(shell: Shell, paidInCents: number, askedInCents: number): string {
  const { words } = shell;
  const [paid, asked] = [amount(paidInCents, shell), amount(askedInCents, shell)];
  if (paidInCents === 0 || paidInCents === askedInCents) return asked;
  const difference = amount(Math.abs(askedInCents - paidInCents), shell);
  return paidInCents < askedInCents
    ? words.short(paid, asked, difference)
    : words.over(paid, asked, difference);
}

/** Another amount arrived than was asked for: no plain success. */
export function isOtherSum({
  amountInCents,
  confirmedAmountInCents,
}: Pick<PayinRow, 'amountInCents' | 'confirmedAmountInCents'>): boolean {
  return confirmedAmountInCents !== null && confirmedAmountInCents !== amountInCents;
}

export function rail(name: string | null, { words }: Shell): string {
  return named(name, words.rails) ?? words.noValue;
}

/** What the service calls something, in words; an unknown name is shown as it is. */
export function named(name: string | null, names: Readonly<Record<string, string>>): string | null {
  return name === null ? null : (names[name] ?? name);
}

/** `CO_CC •••• 1234`, with the kind of document in words. */
export function documentText(document: string | null | undefined, { words }: Shell): string | null {
  if (!document) return null;
  const [type = '', ...number] = document.split(' ');
  // No line break between the dots and the digits.
  return `${words.customer.idTypes[type] ?? type} ${number.join('\u00a0')}`;
}

export function facts(
  { words }: Shell,
  list: readonly (readonly [Fact, Content | null | undefined])[],
): Content {
  return factList(list.map(([name, value]) => [words.facts[name], value, name === 'note']));
}

/** What was given back, each with its payout. */
export function returnList(shell: Shell, returns: readonly PayoutView[]): Content {
  if (returns.length === 0) return nothing;
  return html`<h2>${shell.words.returns.title}</h2>
    <ul class="plain-list">
      ${returns.map(
        ({ id, reference, amountInCents, state }) =>
          html`<li class="bar">
            <a href=${toRoute('payouts', id)}>${reference}</a> ${amount(amountInCents, shell)}
            ${chip(state, shell)}
          </li>`,
      )}
    </ul>`;
}

/** Every try to pay an order, each with what the service made for it. */
export function attemptList(shell: Shell, attempts: readonly AttemptSummary[]): Content {
  const { words, language } = shell;
  return html`<section class="panel">
    <h2>${words.review.attempts}</h2>
    <ul class="plain-list">
      ${attempts.map(
        (attempt) =>
          html`<li>
            <p class="bar">
              <b>${rail(attempt.rail ?? attempt.kind, shell)}</b>
              ${received(shell, paidBy(attempt), attempt.amountInCents)}
              ${chip(paidBy(attempt) > 0 && paidBy(attempt) !== attempt.amountInCents ? 'OTRO_VALOR' : attempt.status, shell)}
              <time datetime=${attempt.createdAt}>${moment(attempt.createdAt, language)}</time>
            </p>
            ${attempt.payments.map(
              ({ kind, reference, serviceId, confirmedAmountInCents }) =>
                html`<p class="hint bar">
                  ${paymentLine(shell, kind, reference, serviceId)}
                  ${
                    confirmedAmountInCents === null
                      ? nothing
                      : html`<span>${words.facts.confirmed}: ${amount(confirmedAmountInCents, shell)}</span>`
                  }
                </p>`,
            )}
          </li>`,
      )}
    </ul>
  </section>`;
}

/** What arrived through an attempt. */
function paidBy({ payments }: AttemptSummary): number {
  return payments.reduce((sum, { confirmedAmountInCents }) => sum + (confirmedAmountInCents ?? 0), 0);
}

/** A payment's reference, with a link to its payin or payment link. */
function paymentLine(
  shell: Shell,
  kind: AttemptSummary['kind'],
  reference: string,
  serviceId: string | null,
): Content | null {
  const section = kind === 'PAYIN' ? 'payins' : 'links';
  const shown =
    serviceId !== null ? html`<a href=${toRoute(section, serviceId)}>${reference}</a>` : reference;
  return copyable(shell, shell.words.facts.reference, reference, shown);
}

/** A link to the same record in the sandbox, in a demonstration. */
export function sandboxLine({ sandboxUrl, words }: Shell, section: string, id: string | null): Content {
  if (sandboxUrl === '' || id === null) return nothing;
  const query = new URLSearchParams({ section, open: id });
  return html`<p>
    <a href=${`${sandboxUrl}/_/?${query.toString()}`} target="_blank" rel="noopener">${words.inSandbox}</a>
  </p>`;
}

/** An order's id, with a link to its page. */
export function orderLine(shell: Shell, order: string | null | undefined): Content | null {
  return copyable(
    shell,
    shell.words.facts.order,
    order,
    html`<a href=${toRoute('orders', order ?? '')}>${order}</a>`,
  );
}
