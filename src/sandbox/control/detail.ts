import { html, nothing, type TemplateResult } from 'lit';
import {
  clockTime,
  money,
  moment,
  centsOf,
  pretty,
  typedAmount,
  webAddress,
} from '../../look/parts/format.js';
import { attemptLines, chip, type Content, copyable, factList, icon } from '../../look/parts/parts.js';
import type { ControlDetail, EventDetail, RecordDetail, RequestDetail } from '../api/control-detail.js';
import type { Outcome, PayinRecord, SettlementStatus } from '../service/state.js';
import { hrefOf, UNFILTERED } from './address.js';
import { send } from './control-client.js';
import { button, type ControlShell, fieldsOf, isoTime, time } from './shell.js';

/** The panel beside the list: everything about one thing, and what can be made to happen to it. */
export function detailPanel(shell: ControlShell): Content {
  const { words, address, language, view } = shell;
  const { detail } = view;
  const close = hrefOf(address, { open: '' });
  const record = detail?.kind === 'record' ? detail.record : undefined;
  return html`<section class="panel detail" aria-labelledby="detail-title">
    <header class="bar">
      <h2 id="detail-title" tabindex="-1">${titleOf(shell)}</h2>
      <a class="button plain small close" href=${close}
        ><span class="wide-only">${icon('cross')}<span class="sr">${words.close}</span></span
        ><span class="narrow-only">${icon('back')} ${words.backToList}</span></a
      >
      ${
        record
          ? html`<p class="bar" role="status">
              <span class="big">${money(record.amountInCents, language)}</span> ${chip(record.status, shell)}
            </p>`
          : nothing
      }
    </header>
    ${detail === null ? nothing : bodyOf(shell, detail)}
  </section>`;
}

function titleOf({ view: { detail }, words }: ControlShell): string {
  switch (detail?.kind) {
    case undefined:
      return words.gone;
    case 'record':
      return detail.record.reference;
    case 'event':
      return detail.event.event;
    case 'request':
      return detail.title;
    default:
      throw new TypeError(`Unknown detail: ${String(detail satisfies never)}`);
  }
}

function bodyOf(shell: ControlShell, detail: ControlDetail): Content {
  switch (detail.kind) {
    case 'record':
      return recordBody(shell, detail);
    case 'event':
      return eventBody(shell, detail);
    case 'request':
      return requestBody(shell, detail);
    default:
      throw new TypeError(`Unknown detail: ${String(detail satisfies never)}`);
  }
}

function recordBody(shell: ControlShell, detail: RecordDetail): Content {
  const { words } = shell;
  return html`${payerPage(shell, detail)}
    <section>
      <h3>${words.actions}</h3>
      ${actions(shell, detail)}
    </section>
    <section>
      <h3>${words.itsEvents}</h3>
      ${ownEvents(shell, detail)}
    </section>
    <section>
      <h3>${words.ownMishaps}</h3>
      ${ownMishaps(shell, detail)}
    </section>
    ${facts(shell, detail)}`;
}

/** The page a payer would see. One folder up, because this page lies in `/_/`. */
function payerPage({ words }: ControlShell, { record, payerPath }: RecordDetail): Content {
  if (record.kind === 'payout') return nothing;
  if (payerPath === null) return html`<p class="hint">${words.bankNotReady}</p>`;
  const ofPayin = () =>
    record.kind === 'payin' && record.source.rail === 'PSE' ? words.openBank : words.openCheckout;
  const label = record.kind === 'link' ? words.openLink : ofPayin();
  return html`<a class="button" href=${`..${payerPath}`} target="_blank" rel="noopener"
    >${label} ${icon('out')}</a
  >`;
}

const SETTLEMENTS = [
  'PENDING_SETTLEMENT',
  'SETTLED',
  'REVERSED',
] as const satisfies readonly SettlementStatus[];

function actions(shell: ControlShell, { record, outcomes, wrongAmounts }: RecordDetail): Content {
  const { words } = shell;
  const { kind, id, status } = record;
  if (kind === 'payin' && status === 'CONFIRMED') return afterConfirmation(shell, record);
  if (kind === 'link' && status === 'PENDING')
    return button(
      html`${icon('clock')} ${words.expire}`,
      () => void shell.act(() => send(`links/${id}/expire`)),
    );
  if (outcomes.length === 0) return html`<p class="hint">${words.nothingToDo}</p>`;
  const settle = (outcome: Outcome, amount?: number) =>
    void shell.act(() =>
      send(`${kind}s/${id}/settle`, {
        outcome,
        ...(amount !== undefined && { confirmedAmountInCents: amount }),
      }),
    );
  const exact = wrongAmounts === null ? words.confirm : words.confirmExact;
  const offers = {
    CONFIRMED: () => [
      button(html`${icon('check')} ${exact}`, () => settle('CONFIRMED'), 'good'),
      ...(wrongAmounts === null
        ? []
        : [
            button(words.confirmUnder, () => settle('CONFIRMED', wrongAmounts.under), 'care'),
            button(words.confirmOver, () => settle('CONFIRMED', wrongAmounts.over), 'care'),
          ]),
    ],
    DECLINED: () => [button(html`${icon('cross')} ${words.decline}`, () => settle('DECLINED'), 'bad')],
    CANCELED: () => [button(html`${icon('minus')} ${words.cancel}`, () => settle('CANCELED'))],
  } as const satisfies Record<Outcome, () => TemplateResult[]>;
  return html`<div class="bar">${outcomes.flatMap((outcome) => offers[outcome]())}</div>
    ${wrongAmounts === null ? nothing : otherAmount(shell, record)}`;
}

function otherAmount(shell: ControlShell, { id, amountInCents }: RecordDetail['record']): Content {
  const { words, language } = shell;
  const confirm = (event: SubmitEvent) => {
    const cents = centsOf(fieldsOf(event)('pesos'), language);
    if (cents === null) return shell.refuse(words.badAmount);
    void shell.act(() =>
      send(`payins/${id}/settle`, { outcome: 'CONFIRMED', confirmedAmountInCents: cents }),
    );
  };
  return html`<form class="inline" @submit=${confirm}>
    <label
      >${words.confirmOther}
      <input
        name="pesos"
        inputmode="decimal"
        autocomplete="off"
        maxlength="24"
        required
        placeholder=${typedAmount(amountInCents, language)}
      />
    </label>
    <button class="button plain">${words.confirm}</button>
  </form>`;
}

function afterConfirmation(
  shell: ControlShell,
  { id, settlementStatus, chargebackAtMs }: PayinRecord,
): Content {
  const { words } = shell;
  const move = (event: SubmitEvent) => {
    const status = fieldsOf(event)('status');
    void shell.act(() => send(`payins/${id}/settlement`, { status }));
  };
  return html`<form class="inline" @submit=${move}>
      <label
        >${words.settlementLabel}
        <select name="status">
          ${SETTLEMENTS.map(
            (status) =>
              html`<option value=${status} ?selected=${status === settlementStatus}>${status}</option>`,
          )}
        </select>
      </label>
      <button class="button plain">${words.settlementSet}</button>
    </form>
    ${
      chargebackAtMs === null
        ? button(
            html`${icon('back')} ${words.chargeBack}`,
            () => void shell.act(() => send(`payins/${id}/chargeback`)),
            'bad',
          )
        : nothing
    }`;
}

function ownEvents(shell: ControlShell, { record, events, deliveries }: RecordDetail): Content {
  const { words, address } = shell;
  // A link's payins send no events of their own.
  const isSilent = record.kind === 'payin' && record.paymentLinkId !== null;
  if (events.length === 0)
    return html`<p class="hint">${isSilent ? words.linkPayinsSilent : words.noEventsYet}</p>`;
  return html`<ul class="plain-list">
    ${events.map(({ id, event, createdAtMs }) => {
      const own = deliveries.filter(({ eventId }) => eventId === id);
      const worst = own.find(({ state }) => state !== 'DELIVERED') ?? own[0];
      return html`<li class="bar">
        <a class="mono" href=${hrefOf(address, { ...UNFILTERED, section: 'events', open: id })}>${event}</a>
        ${worst ? chip(worst.state, shell) : nothing} ${time(isoTime(createdAtMs), shell)}
      </li>`;
    })}
  </ul>`;
}

function ownMishaps(shell: ControlShell, { record: { id, mishaps } }: RecordDetail): Content {
  const { words, scenarios } = shell;
  const turn = (scenario: string, on: boolean) =>
    void shell.act(() => send('mishaps', { scope: 'one', scenario, id, on }));
  const free = Object.keys(scenarios).filter((name) => !(mishaps as readonly string[]).includes(name));
  return html`${
      mishaps.length === 0
        ? nothing
        : html`<p class="bar">
            ${mishaps.map((name) =>
              button(
                html`${name} ${icon('cross')}<span class="sr">${words.remove}</span>`,
                () => turn(name, false),
                'care',
              ),
            )}
          </p>`
    }
    <form class="inline" @submit=${(event: SubmitEvent) => turn(fieldsOf(event)('scenario'), true)}>
      <label
        ><span class="sr">${words.ownMishapChoose}</span>
        <select name="scenario" required>
          <option value="">${words.ownMishapChoose}</option>
          ${free.map((name) => html`<option value=${name}>${name}</option>`)}
        </select>
      </label>
      <button class="button plain">${words.ownMishapAdd}</button>
    </form>`;
}

function facts(shell: ControlShell, { record, bank }: RecordDetail): Content {
  const { words, language, address } = shell;
  const names = words.facts;
  const payin = record.kind === 'payin' ? record : undefined;
  const link = record.kind === 'link' ? record : undefined;
  const decided = record.kind === 'link' ? undefined : record;
  const pse = payin?.source.rail === 'PSE' ? payin.source : undefined;
  const breb = payin?.source.rail === 'BRE_B' ? payin.source : undefined;
  const key = record.kind === 'payout' ? record.keyString : breb?.keyString;
  const { inlineCustomer: customer } = record;
  const at = (timeMs: number | null = null) => (timeMs === null ? null : moment(isoTime(timeMs), language));
  const confirmed = payin?.confirmedAmountInCents ?? null;
  const linkId = payin?.paymentLinkId ?? null;
  const callbackUrl = payin?.callbackUrl ?? link?.callbackUrl ?? '';
  const callback = webAddress(callbackUrl);
  return factList([
    [words.confirmedAmount, confirmed === null ? null : money(confirmed, language)],
    [names.cus, copyable(shell, names.cus, pse?.cus)],
    [names.id, copyable(shell, names.id, record.id)],
    [names.rail, breb ? `BRE_B · ${breb.keyType}` : (pse?.rail ?? link?.rail)],
    [names.key, copyable(shell, names.key, key)],
    [names.bank, bank],
    [names.personType, pse?.personType],
    [names.reference, copyable(shell, names.reference, record.reference)],
    [names.customer, customer?.name],
    [names.document, customer && `${customer.idType} ${customer.idNumber}`],
    [names.errorCode, decided?.errorCode],
    [names.settlementStatus, payin?.settlementStatus],
    [names.chargebackAt, at(payin?.chargebackAtMs)],
    [
      names.paymentLinkId,
      linkId &&
        html`<a href=${hrefOf(address, { ...UNFILTERED, section: 'links', open: linkId })}>${linkId}</a>`,
    ],
    [names.createdAt, at(record.createdAtMs)],
    [names.updatedAt, at(record.updatedAtMs)],
    [names.resultAt, at(decided?.resultAtMs)],
    [names.expiresAt, at(link?.expiresAtMs)],
    [names.completedAt, at(link?.completedAtMs)],
    [
      names.callbackUrl,
      callback === null ? callbackUrl : html`<a href=${callback} rel="noreferrer">${callbackUrl}</a>`,
    ],
  ]);
}

const SECTIONS = { payin: 'payins', payout: 'payouts', link: 'links' } as const;

function eventBody(shell: ControlShell, { event: { body }, about, deliveries }: EventDetail): Content {
  const { words, address, language } = shell;
  return html`${
      about === null
        ? nothing
        : html`<p>
            ${words.resource}:
            <a href=${hrefOf(address, { ...UNFILTERED, section: SECTIONS[about.kind], open: about.id })}
              >${about.reference}</a
            >
          </p>`
    }
    <section>
      <h3>${words.deliveries}</h3>
      ${deliveries.length === 0 ? html`<p class="hint">${words.noTargets}</p>` : nothing}
      ${deliveries.map(
        ({ id, url, state, trueHeader, attempts, nextAttemptAtMs }) =>
          html`<div class="delivery">
            <p class="bar">${chip(state, shell)} <span class="path">${url}</span></p>
            ${trueHeader ? nothing : html`<p class="fault">${words.wrongHeader}</p>`}
            ${attemptLines(
              attempts.map(({ atMs, status, error }) => ({
                at: isoTime(atMs),
                status,
                what: status === null ? words[error ?? 'unreachable'] : words.answer(status),
              })),
              (at) => clockTime(at, language),
            )}
            ${
              nextAttemptAtMs === null
                ? nothing
                : html`<p class="hint">
                    ${words.nextAttempt(clockTime(isoTime(nextAttemptAtMs), language))}
                  </p>`
            }
            <p>
              ${button(
                html`${icon('bolt')} ${words.resend}`,
                () => void shell.act(() => send(`deliveries/${id}/resend`)),
              )}
            </p>
          </div>`,
      )}
    </section>
    ${code(words.body, pretty(body))}`;
}

function requestBody(shell: ControlShell, { id, durationMs, sent, answered }: RequestDetail): Content {
  const { words } = shell;
  return html`<p class="hint">${durationMs} ms · ${copyable(shell, 'x-request-id', id)}</p>
    ${sent === null ? nothing : code(words.sent, sent)} ${code(words.answered, answered)}
    <p class="hint">${words.masked}</p>`;
}

function code(title: string, text: string): Content {
  return html`<section>
    <h3>${title}</h3>
    <pre tabindex="0" role="region" aria-label=${title}>${text}</pre>
  </section>`;
}
