import { html } from 'hono/html';
import { formatMoney, plainAmount } from '../../../contract/money.js';
import { isFinal } from '../../../contract/status.js';
import { icon } from '../icons.js';
import type { Html } from '../layout.js';
import { factsFor } from './facts.js';
import { deliveriesByEvent } from './lists.js';
import {
  action,
  addressOf,
  clockText,
  type ControlView,
  copyable,
  deliveryPill,
  statusPill,
  time,
  UNFILTERED,
} from './view.js';
import { requestDetail, titleOf } from './requests.js';
import { SCENARIO_NAMES } from '../../service/scenarios.js';
import {
  type DeliveryRecord,
  type EventRecord,
  type PayinRecord,
  type PayoutRecord,
  type ResourceRecord,
  SETTLEMENT_STATUSES,
} from '../../service/state.js';
import { bankPath, checkoutPath, linkPath } from '../../service/views.js';

/** The panel beside the list: everything about one record, and what can be made to happen to it. */
export function detailPanel(view: ControlView): Html {
  const { engine, words, openId } = view;
  const event = engine.events.find(({ id }) => id === openId);
  const record = event ? undefined : engine.find(openId);
  const request =
    view.section === 'requests' ? view.requests.entries.find(({ id }) => id === openId) : undefined;
  const title = request ? titleOf(request) : (event?.event ?? record?.reference ?? words.gone);
  return html`<section class="detail" aria-labelledby="detail-title" data-key="${openId}">
    <header>
      <a class="button ghost small back" href="${addressOf(view, { openId: '' })}"
        >${icon('back')}${words.backToList}</a
      >
      <a class="button ghost small close" href="${addressOf(view, { openId: '' })}"
        >${icon('cross')}<span class="visually-hidden">${words.close}</span></a
      >
      <h2 id="detail-title" tabindex="-1">${title}</h2>
      ${
        record
          ? html`<p class="headline">
              ${statusPill(record.status, words)}
              <span class="money">${formatMoney(record.amountInCents, 'COP', view.language)}</span>
            </p>`
          : ''
      }
    </header>
    ${
      request
        ? requestDetail(view, request)
        : event
          ? eventDetail(view, event)
          : record
            ? recordDetail(view, record)
            : ''
    }
  </section>`;
}

function recordDetail(view: ControlView, record: ResourceRecord): Html {
  return html`${doors(view, record)}
    <section>
      <h3>${view.words.actions}</h3>
      ${actionsFor(view, record)}
    </section>
    <section>
      <h3>${view.words.itsEvents}</h3>
      ${ownEvents(view, record)}
    </section>
    <section>
      <h3>${view.words.ownMishaps}</h3>
      ${ownMishaps(view, record)}
    </section>
    ${factsFor(view, record)}`;
}

/** The pages a payer would see for this record. */
function doors({ words }: ControlView, record: ResourceRecord): Html {
  switch (record.kind) {
    case 'payin':
      if (record.source.rail === 'BRE_B') return door(checkoutPath(record), words.openCheckout);
      return record.source.ready
        ? door(bankPath(record.source.bankToken), words.openBank)
        : html`<p class="muted small">${words.bankNotReady}</p>`;
    case 'link':
      return door(linkPath(record.id), words.openLink);
    case 'payout':
      return html``;
    default:
      return record satisfies never;
  }
}

function door(path: string, label: string): Html {
  // One folder up, because this page lies in `/_/`.
  return html`<a class="button wide" href="..${path}" target="_blank" rel="noopener"
    >${label}${icon('out')}</a
  >`;
}

function actionsFor(view: ControlView, record: ResourceRecord): Html {
  switch (record.kind) {
    case 'payin':
      return payinActions(view, record);
    case 'payout':
      return isFinal(record.status) ? over(view) : outcomes(view, record, view.words.confirm);
    case 'link':
      return record.status === 'PENDING'
        ? action(
            view,
            'expire',
            html`<button class="button ghost small">${icon('clock')}${view.words.expire}</button>`,
            record.id,
          )
        : over(view);
    default:
      return record satisfies never;
  }
}

const over = ({ words }: ControlView) => html`<p class="muted small">${words.nothingToDo}</p>`;

function payinActions(view: ControlView, payin: PayinRecord): Html {
  const { words } = view;
  if (payin.status === 'CONFIRMED') {
    return html`<div class="buttons">
      ${action(
        view,
        'settlement',
        html`<div class="inline">
          <label class="visually-hidden" for="settlement">${words.settlementLabel}</label>
          <select class="input small mono" id="settlement" name="settlementStatus">
            ${SETTLEMENT_STATUSES.map(
              (status) =>
                html`<option ${status === payin.settlementStatus ? 'selected' : ''}>${status}</option>`,
            )}
          </select>
          <button class="button ghost small">${words.settlementSet}</button>
        </div>`,
        payin.id,
      )}
      ${
        payin.chargebackAtMs === null
          ? action(
              view,
              'charge-back',
              html`<button class="button ghost small negative">${icon('back')}${words.chargeBack}</button>`,
              payin.id,
            )
          : ''
      }
    </div>`;
  }
  return html`${outcomes(view, payin, words.confirmExact)}
  ${action(
    view,
    'confirm-other',
    html`<label class="small" for="pesos">${words.confirmOther}</label>
      <div class="inline">
        <input
          class="input small"
          id="pesos"
          name="pesos"
          inputmode="decimal"
          autocomplete="off"
          maxlength="24"
          required
          placeholder="${plainAmount(payin.amountInCents)}"
        />
        <button class="button ghost small">${words.confirm}</button>
      </div>`,
    payin.id,
  )}`;
}

/** A declined or canceled payin can still be confirmed, because banks do that. */
function outcomes(view: ControlView, record: PayinRecord | PayoutRecord, confirm: string): Html {
  const { words } = view;
  const button = (name: string, tone: string, picture: 'check' | 'cross' | 'minus', label: string) =>
    action(
      view,
      name,
      html`<button class="button ghost small ${tone}">${icon(picture)}${label}</button>`,
      record.id,
    );
  const open = !isFinal(record.status);
  return html`<div class="buttons">
    ${button('confirm', 'positive', 'check', confirm)}
    ${
      record.kind === 'payin'
        ? html`${button('confirm-under', 'caution', 'minus', words.confirmUnder)}
          ${button('confirm-over', 'caution', 'check', words.confirmOver)}`
        : ''
    }
    ${
      open
        ? html`${button('decline', 'negative', 'cross', words.decline)}
          ${button('cancel', '', 'minus', words.cancel)}`
        : ''
    }
  </div>`;
}

function ownMishaps(view: ControlView, record: ResourceRecord): Html {
  const { words } = view;
  const free = SCENARIO_NAMES.filter((name) => !record.mishaps.includes(name));
  return html`${
    record.mishaps.length === 0
      ? ''
      : html`<ul class="chips">
          ${record.mishaps.map(
            (name) =>
              html`<li>
                ${action(
                  view,
                  'own-mishap-off',
                  html`<input type="hidden" name="scenario" value="${name}" />
                    <button class="chip on">
                      ${name}${icon('cross')}<span class="visually-hidden">${words.remove}</span>
                    </button>`,
                  record.id,
                )}
              </li>`,
          )}
        </ul>`
  }
  ${action(
    view,
    'own-mishap-on',
    html`<div class="inline">
      <label class="visually-hidden" for="own-mishap">${words.ownMishapChoose}</label>
      <select class="input small mono" id="own-mishap" name="scenario" required>
        <option value="">${words.ownMishapChoose}</option>
        ${free.map((name) => html`<option>${name}</option>`)}
      </select>
      <button class="button ghost small">${words.ownMishapAdd}</button>
    </div>`,
    record.id,
  )}`;
}

function ownEvents(view: ControlView, record: ResourceRecord): Html {
  const { engine, words } = view;
  const events = engine.events.filter(({ resourceId }) => resourceId === record.id);
  if (events.length === 0) {
    const silent = record.kind === 'payin' && record.paymentLinkId !== null;
    return html`<p class="muted small">${silent ? words.linkPayinsSilent : words.noEventsYet}</p>`;
  }
  const byEvent = deliveriesByEvent(engine.deliveries);
  return html`<ul class="lines">
    ${events.map((event) => {
      const deliveries = byEvent.get(event.id) ?? [];
      const shown = deliveries.find(({ state }) => state !== 'DELIVERED') ?? deliveries[0];
      return html`<li>
        <a href="${addressOf(view, { section: 'events', openId: event.id, ...UNFILTERED })}" class="mono"
          >${event.event}</a
        >
        ${shown ? deliveryPill(shown.state, words) : ''} ${time(event.createdAtMs, view)}
      </li>`;
    })}
  </ul>`;
}

function eventDetail(view: ControlView, event: EventRecord): Html {
  const { words, engine } = view;
  const deliveries = engine.deliveries.filter(({ eventId }) => eventId === event.id);
  const about = engine.find(event.resourceId);
  return html`${
      about
        ? html`<p class="small">
            ${words.facts.resource}:
            <a href="${addressOf(view, { section: sectionOf(about), openId: about.id, ...UNFILTERED })}"
              >${about.reference}</a
            >
          </p>`
        : ''
    }
    <section>
      <h3>${words.deliveries}</h3>
      ${
        deliveries.length === 0
          ? html`<p class="muted small">${words.noTargets}</p>`
          : html`<ul class="deliveries">
              ${deliveries.map((delivery) => deliveryItem(view, delivery))}
            </ul>`
      }
    </section>
    <section>
      <h3>${words.body} ${copyable(words.body, event.body, words)}</h3>
      <pre tabindex="0" aria-label="${words.body}">${prettyJson(event.body)}</pre>
    </section>`;
}

function deliveryItem(view: ControlView, delivery: DeliveryRecord): Html {
  const { words, language } = view;
  return html`<li data-key="${delivery.id}">
    <p class="inline-start">
      ${deliveryPill(delivery.state, words)} <span class="mono url">${delivery.url}</span>
    </p>
    ${delivery.trueHeader ? '' : html`<p class="small caution">${words.wrongHeader}</p>`}
    ${
      delivery.attempts.length === 0
        ? ''
        : html`<ol class="attempts">
            ${delivery.attempts.map(
              ({ atMs, status, error }) =>
                html`<li>
                  ${time(atMs, view)}
                  <span>${status === null ? words[error ?? 'unreachable'] : words.answer(status)}</span>
                </li>`,
            )}
          </ol>`
    }
    ${
      delivery.nextAttemptAtMs === null
        ? ''
        : html`<p class="muted small">${words.nextAttempt(clockText(delivery.nextAttemptAtMs, language))}</p>`
    }
    ${action(
      view,
      'resend',
      html`<button class="button ghost small">${icon('bolt')}${words.resend}</button>`,
      delivery.id,
    )}
  </li>`;
}

function sectionOf(record: ResourceRecord) {
  return ({ payin: 'payins', payout: 'payouts', link: 'links' } as const)[record.kind];
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
