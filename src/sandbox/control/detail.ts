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
import type { EventDetail, FactName, RecordDetail, RequestDetail } from '../api/control-detail.js';
import type { Outcome, SettlementStatus } from '../service/state.js';
import { hrefOf, UNFILTERED } from './address.js';
import { send } from './control-client.js';
import { button, type ControlShell, fieldsOf, time } from './shell.js';

/** The panel beside the list: everything about one thing, and what can be made to happen to it. */
export function detailPanel(shell: ControlShell): Content {
  const { words, address, language, view } = shell;
  const { detail } = view;
  const close = hrefOf(address, { open: '' });
  const isRecord = detail !== null && 'status' in detail;
  return html`<section class="panel detail" aria-labelledby="detail-title">
    <header class="bar">
      <h2 id="detail-title" tabindex="-1">${titleOf(shell)}</h2>
      <a class="button plain small close" href=${close}
        ><span class="wide-only">${icon('cross')}<span class="sr">${words.close}</span></span
        ><span class="narrow-only">${icon('back')} ${words.backToList}</span></a
      >
      ${
        isRecord
          ? html`<p class="bar" role="status">
              <span class="big">${money(detail.amountInCents, language)}</span> ${chip(detail.status, shell)}
            </p>`
          : nothing
      }
    </header>
    ${detail === null ? nothing : bodyOf(shell, detail)}
  </section>`;
}

function titleOf({ view: { detail }, words }: ControlShell): string {
  if (detail === null) return words.gone;
  return 'status' in detail ? detail.reference : 'event' in detail ? detail.event : detail.title;
}

function bodyOf(shell: ControlShell, detail: RecordDetail | EventDetail | RequestDetail): Content {
  switch (detail.kind) {
    case 'payin':
    case 'payout':
    case 'link':
      return recordBody(shell, detail);
    case 'event':
      return eventBody(shell, detail);
    case 'request':
      return requestBody(shell, detail);
    default:
      throw new TypeError(`Unknown detail: ${String(detail satisfies never)}`);
  }
}

function recordBody(shell: ControlShell, record: RecordDetail): Content {
  const { words } = shell;
  return html`${payerPage(shell, record)}
    <section>
      <h3>${words.actions}</h3>
      ${actions(shell, record)}
    </section>
    <section>
      <h3>${words.itsEvents}</h3>
      ${ownEvents(shell, record)}
    </section>
    <section>
      <h3>${words.ownMishaps}</h3>
      ${ownMishaps(shell, record)}
    </section>
    ${facts(shell, record)}`;
}

/** The page a payer would see. One folder up, because this page lies in `/_/`. */
function payerPage({ words }: ControlShell, { kind, payerPath, facts: known }: RecordDetail): Content {
  if (kind === 'payout') return nothing;
  if (payerPath === null) return html`<p class="hint">${words.bankNotReady}</p>`;
  const label = kind === 'link' ? words.openLink : known.rail === 'PSE' ? words.openBank : words.openCheckout;
  return html`<a class="button" href=${`..${payerPath}`} target="_blank" rel="noopener"
    >${label} ${icon('out')}</a
  >`;
}

const SETTLEMENTS = [
  'PENDING_SETTLEMENT',
  'SETTLED',
  'REVERSED',
] as const satisfies readonly SettlementStatus[];

function actions(shell: ControlShell, record: RecordDetail): Content {
  const { words } = shell;
  const { kind, id, outcomes, wrongAmounts, status } = record;
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

function otherAmount(shell: ControlShell, { id, amountInCents }: RecordDetail): Content {
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

function afterConfirmation(shell: ControlShell, { id, facts: known }: RecordDetail): Content {
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
              html`<option value=${status} ?selected=${status === known.settlementStatus}>${status}</option>`,
          )}
        </select>
      </label>
      <button class="button plain">${words.settlementSet}</button>
    </form>
    ${
      known.chargebackAt === undefined
        ? button(
            html`${icon('back')} ${words.chargeBack}`,
            () => void shell.act(() => send(`payins/${id}/chargeback`)),
            'bad',
          )
        : nothing
    }`;
}

function ownEvents(shell: ControlShell, { events, isSilent }: RecordDetail): Content {
  const { words, address } = shell;
  if (events.length === 0)
    return html`<p class="hint">${isSilent ? words.linkPayinsSilent : words.noEventsYet}</p>`;
  return html`<ul class="plain-list">
    ${events.map(
      ({ id, event, state, at }) =>
        html`<li class="bar">
          <a class="mono" href=${hrefOf(address, { ...UNFILTERED, section: 'events', open: id })}>${event}</a>
          ${state === null ? nothing : chip(state, shell)} ${time(at, shell)}
        </li>`,
    )}
  </ul>`;
}

function ownMishaps(shell: ControlShell, { id, mishaps }: RecordDetail): Content {
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

const COPIED: readonly FactName[] = ['id', 'reference', 'key', 'cus'];
const MOMENTS: readonly FactName[] = [
  'chargebackAt',
  'resultAt',
  'expiresAt',
  'completedAt',
  'createdAt',
  'updatedAt',
];

function facts(shell: ControlShell, { facts: known, confirmedAmountInCents }: RecordDetail): Content {
  const { words, language, address } = shell;
  const value = (name: FactName): Content | null => {
    const text = known[name];
    if (text === undefined) return null;
    if (COPIED.includes(name)) return copyable(shell, words.facts[name], text);
    if (MOMENTS.includes(name)) return moment(text, language);
    if (name === 'paymentLinkId')
      return html`<a href=${hrefOf(address, { ...UNFILTERED, section: 'links', open: text })}>${text}</a>`;
    const link = name === 'callbackUrl' ? webAddress(text) : null;
    return link === null ? text : html`<a href=${link} rel="noreferrer">${text}</a>`;
  };
  const names = Object.keys(words.facts) as FactName[];
  return factList([
    [words.confirmedAmount, confirmedAmountInCents === null ? null : money(confirmedAmountInCents, language)],
    ...names.map((name) => [words.facts[name], value(name)] as const),
  ]);
}

function eventBody(shell: ControlShell, { about, body, deliveries }: EventDetail): Content {
  const { words, address, language } = shell;
  return html`${
      about === null
        ? nothing
        : html`<p>
            ${words.resource}:
            <a href=${hrefOf(address, { ...UNFILTERED, section: about.section, open: about.id })}
              >${about.reference}</a
            >
          </p>`
    }
    <section>
      <h3>${words.deliveries}</h3>
      ${deliveries.length === 0 ? html`<p class="hint">${words.noTargets}</p>` : nothing}
      ${deliveries.map(
        ({ id, url, state, trueHeader, attempts, nextAttemptAt }) =>
          html`<div class="delivery">
            <p class="bar">${chip(state, shell)} <span class="path">${url}</span></p>
            ${trueHeader ? nothing : html`<p class="fault">${words.wrongHeader}</p>`}
            ${attemptLines(
              attempts.map(({ at, status, error }) => ({
                at,
                status,
                what: status === null ? words[error ?? 'unreachable'] : words.answer(status),
              })),
              (at) => clockTime(at, language),
            )}
            ${
              nextAttemptAt === null
                ? nothing
                : html`<p class="hint">${words.nextAttempt(clockTime(nextAttemptAt, language))}</p>`
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
