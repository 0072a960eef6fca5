import { html } from 'hono/html';
import { formatMoney } from '../../../contract/money.js';
import { LINK_STATUSES, PAYIN_STATUSES } from '../../../contract/status.js';
import { icon, type IconName } from '../icons.js';
import type { Html } from '../layout.js';
import {
  action,
  addressOf,
  type ControlView,
  deliveryPill,
  dayOf,
  pill,
  type Row,
  statusPill,
  time,
  UNFILTERED,
} from './view.js';
import { requestRow, requestWords, STATUS_CLASSES, statusClass } from './requests.js';
import { RAILS } from '../../../contract/service/resources.js';
import { bankName } from '../payer/parts.js';
import {
  DELIVERY_STATES,
  type DeliveryRecord,
  type EventRecord,
  type LinkRecord,
  type PayinRecord,
  type PayoutRecord,
} from '../../service/state.js';

/** The lists in the middle of the control page: newest first, one line each, the open one marked. */
export type ListSection = 'payins' | 'payouts' | 'links' | 'events' | 'requests';

const PAGE_SIZE = 50;

export function listSection(view: ControlView, section: ListSection): Html {
  const { rows, matching, total } = rowsOf(view, section);
  return html`<div class="toolbar">${filterForm(view, section)} ${samples(view, section)}</div>
    ${
      rows.length > 0
        ? html`<ul class="rows">
              ${rows.map((row) => rowLine(view, row))}
            </ul>
            ${pages(view, matching)}`
        : total > 0
          ? html`<div class="empty">
              <p><b>${view.words.noMatch}</b></p>
              <a class="button ghost small" href="${addressOf(view, UNFILTERED)}">${view.words.clear}</a>
            </div>`
          : emptyList(view, section)
    }`;
}

/** Which part of the list this is, and the ways to the parts before and after it. */
function pages(view: ControlView, matching: number): Html {
  const last = Math.ceil(matching / PAGE_SIZE);
  if (last <= 1) return html``;
  const { words } = view;
  const page = Math.min(view.page, last);
  const first = (page - 1) * PAGE_SIZE + 1;
  const way = (to: number, label: string) =>
    to < 1 || to > last
      ? html`<span></span>`
      : html`<a class="button ghost small" href="${addressOf(view, { page: to, openId: '' })}">${label}</a>`;
  return html`<div class="more" role="group" aria-label="${words.pages}">
    ${way(page - 1, words.newer)}
    <span class="muted">${words.shown(first, Math.min(page * PAGE_SIZE, matching), matching)}</span>
    ${way(page + 1, words.older)}
  </div>`;
}

function rowLine(view: ControlView, row: Row): Html {
  const open = row.id === view.openId;
  return html`<li data-key="${row.id}">
    <a
      class="row-link"
      href="${addressOf(view, { openId: open ? '' : row.id })}"
      aria-expanded="${open ? 'true' : 'false'}"
    >
      ${row.pill}
      <span class="what">
        <b>${row.title}</b>
        <span class="meta">
          ${row.marked ? html`<span class="mark">${icon('alert')}</span>` : ''}
          ${row.detail.map((text) => html`<span>${text}</span>`)} ${time(row.atMs, view)}
        </span>
      </span>
      ${
        row.amountInCents === undefined
          ? ''
          : html`<span class="money">${formatMoney(row.amountInCents, 'COP', view.language)}</span>`
      }
    </a>
  </li>`;
}

function filterForm(view: ControlView, section: ListSection): Html {
  const { words } = view;
  return html`<form method="get" class="filter" role="search" data-live>
    <input type="hidden" name="section" value="${section}" />
    ${
      view.askedLanguage === undefined
        ? ''
        : html`<input type="hidden" name="lang" value="${view.askedLanguage}" />`
    }
    <div class="field">
      <label for="q">${words.filterLabel}</label>
      <input
        class="input"
        type="search"
        id="q"
        name="q"
        value="${view.search}"
        maxlength="128"
        autocomplete="off"
        spellcheck="false"
        placeholder="${words.filterHints[section]}"
      />
    </div>
    <div class="field">
      <label for="status">${words.statusLabel}</label>
      <select class="input" id="status" name="status">
        <option value="">${words.anyStatus}</option>
        ${statusesOf(view, section).map(
          ([value, name]) =>
            html`<option value="${value}" ${value === view.status ? 'selected' : ''}>${name}</option>`,
        )}
      </select>
    </div>
    ${
      section === 'payins'
        ? html`<div class="field">
            <label for="rail">${words.facts.rail}</label>
            <select class="input" id="rail" name="rail">
              <option value="">${words.anyStatus}</option>
              ${RAILS.map(
                (rail) =>
                  html`<option value="${rail}" ${rail === view.rail ? 'selected' : ''}>
                    ${rail === 'PSE' ? 'PSE' : 'Bre-B'}
                  </option>`,
              )}
            </select>
          </div>`
        : ''
    }
    ${dayField('from', words.from, view.from)} ${dayField('to', words.to, view.to)}
    <button class="button ghost small no-script">${words.filter}</button>
  </form>`;
}

function dayField(name: 'from' | 'to', label: string, value: string): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input class="input" type="date" id="${name}" name="${name}" value="${value}" />
  </div>`;
}

function statusesOf({ words }: ControlView, section: ListSection): (readonly [string, string])[] {
  switch (section) {
    case 'payins':
    case 'payouts':
      return PAYIN_STATUSES.map((status) => [status, words.statuses[status]]);
    case 'links':
      return LINK_STATUSES.map((status) => [status, words.statuses[status]]);
    case 'events':
      return DELIVERY_STATES.map((state) => [state, words.deliveryStates[state]]);
    case 'requests':
      return STATUS_CLASSES.map((name) => [name, words.statusClasses[name]]);
    default:
      return section satisfies never;
  }
}

const SAMPLES = {
  payins: [
    ['sample-qr', 'qr', 'tryQr'],
    ['sample-key', 'key', 'tryKey'],
    ['sample-pse', 'bank', 'tryPse'],
  ],
  payouts: [['sample-payout', 'out', 'tryPayout']],
  links: [['sample-link', 'link', 'tryLink']],
  events: [],
  requests: [],
} as const satisfies Record<ListSection, readonly (readonly [string, IconName, string])[]>;

function samples(view: ControlView, section: ListSection): Html {
  const offered = SAMPLES[section];
  if (offered.length === 0) return html``;
  return html`<div class="samples" role="group" aria-label="${view.words.tryIt}">
    <span class="label" aria-hidden="true">${view.words.tryIt}</span>
    <div class="buttons">
      ${offered.map(([name, picture, word]) =>
        action(
          view,
          name,
          html`<button class="button ghost small">${icon(picture)}${view.words[word]}</button>`,
        ),
      )}
    </div>
  </div>`;
}

function emptyList(view: ControlView, section: ListSection): Html {
  const { words } = view;
  const [picture, title, more] = {
    payins: ['qr', words.emptyPayins, words.emptyPayinsMore],
    payouts: ['out', words.emptyPayouts, words.emptyPayoutsMore],
    links: ['link', words.emptyLinks, words.emptyLinksMore],
    events: ['bolt', words.emptyEvents, words.emptyEventsMore],
    requests: ['terminal', words.emptyRequests, words.emptyRequestsMore],
  }[section] as [IconName, string, string];
  return html`<div class="empty">
    <span class="big">${icon(picture)}</span>
    <p><b>${title}</b></p>
    <p class="muted">${more}</p>
  </div>`;
}

interface Rows {
  readonly rows: readonly Row[];
  /** How many the filter lets through, and how many there are. */
  readonly matching: number;
  readonly total: number;
}

function rowsOf(view: ControlView, section: ListSection): Rows {
  const { engine } = view;
  switch (section) {
    case 'payins':
      return filtered(
        view,
        engine.payins,
        payinWords,
        (payin) => payin.status,
        payinRow,
        (payin) => payin.source.rail,
      );
    case 'payouts':
      return filtered(view, engine.payouts, payoutWords, (payout) => payout.status, payoutRow);
    case 'links':
      return filtered(view, engine.links, linkWords, (link) => link.status, linkRow);
    case 'events': {
      const byEvent = deliveriesByEvent(engine.deliveries);
      const own = (event: EventRecord) => byEvent.get(event.id) ?? [];
      return filtered(
        view,
        engine.events,
        (event) => [event.event, event.id, event.resourceId, ...own(event).map(({ url }) => url)],
        (event) => own(event).map(({ state }) => state),
        (event) => eventRow(view, event, own(event)),
      );
    }
    case 'requests':
      return filtered(
        view,
        view.requests.entries,
        requestWords,
        ({ status }) => statusClass(status),
        requestRow,
      );
    default:
      return section satisfies never;
  }
}

function filtered<R extends { readonly createdAtMs: number }>(
  view: ControlView,
  records: readonly R[],
  wordsOf: (record: R) => readonly string[],
  statusOf: (record: R) => string | readonly string[],
  toRow: (record: R, view: ControlView) => Row,
  railOf = (_: R): string => view.rail,
): Rows {
  const search = view.search.toLowerCase();
  const isBetween = (day: string) =>
    (view.from === '' || day >= view.from) && (view.to === '' || day <= view.to);
  const matching = records
    .filter((record) => view.rail === '' || railOf(record) === view.rail)
    .filter((record) => view.status === '' || [statusOf(record)].flat().includes(view.status))
    .filter((record) => search === '' || wordsOf(record).some((word) => word.toLowerCase().includes(search)))
    .filter(({ createdAtMs }) => (view.from === '' && view.to === '') || isBetween(dayOf(createdAtMs)));
  const page = Math.min(view.page, Math.max(1, Math.ceil(matching.length / PAGE_SIZE)));
  const rows = matching.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((record) => toRow(record, view));
  return { rows, matching: matching.length, total: records.length };
}

function payinWords(payin: PayinRecord): string[] {
  const own = [payin.id, payin.reference, payin.paymentLinkId ?? ''];
  return payin.source.rail === 'PSE'
    ? [...own, 'PSE', payin.source.bank, bankName(payin.source.bank)]
    : [...own, 'BRE_B', payin.source.keyType, payin.source.keyString];
}

function payoutWords(payout: PayoutRecord): string[] {
  return [payout.id, payout.reference, payout.keyString];
}

function linkWords(link: LinkRecord): string[] {
  return [link.id, link.reference, link.rail ?? ''];
}

function payinRow(payin: PayinRecord, view: ControlView): Row {
  const { source } = payin;
  const detail =
    source.rail === 'PSE'
      ? ['PSE', bankName(source.bank)]
      : [source.keyType === 'QR_CODE' ? view.words.tryQr : view.words.tryKey];
  return {
    id: payin.id,
    pill: statusPill(payin.status, view.words),
    title: payin.reference,
    detail: [...detail, ...(payin.chargebackAtMs === null ? [] : [view.words.facts.chargeback])],
    atMs: payin.createdAtMs,
    amountInCents: payin.confirmedAmountInCents ?? payin.amountInCents,
    marked: payin.mishaps.length > 0,
  };
}

function payoutRow(payout: PayoutRecord, view: ControlView): Row {
  return {
    id: payout.id,
    pill: statusPill(payout.status, view.words),
    title: payout.reference,
    detail: [payout.keyString],
    atMs: payout.createdAtMs,
    amountInCents: payout.amountInCents,
    marked: payout.mishaps.length > 0,
  };
}

function linkRow(link: LinkRecord, view: ControlView): Row {
  return {
    id: link.id,
    pill: statusPill(link.status, view.words),
    title: link.reference,
    detail: [link.rail ?? view.words.tryLink],
    atMs: link.createdAtMs,
    amountInCents: link.amountInCents,
    marked: link.mishaps.length > 0,
  };
}

function eventRow(view: ControlView, event: EventRecord, deliveries: readonly DeliveryRecord[]): Row {
  const worst = deliveries.find(({ state }) => state !== 'DELIVERED') ?? deliveries[0];
  const about = view.engine.find(event.resourceId);
  return {
    id: event.id,
    pill: event.forged
      ? pill('alert', 'caution', view.words.forged)
      : worst
        ? deliveryPill(worst.state, view.words)
        : pill('minus', 'open', '—'),
    title: event.event,
    detail: about ? [about.reference] : [],
    atMs: event.createdAtMs,
    marked: false,
  };
}

export function deliveriesByEvent(deliveries: readonly DeliveryRecord[]): Map<string, DeliveryRecord[]> {
  const byEvent = new Map<string, DeliveryRecord[]>();
  for (const delivery of deliveries) {
    const known = byEvent.get(delivery.eventId);
    if (known) known.push(delivery);
    else byEvent.set(delivery.eventId, [delivery]);
  }
  return byEvent;
}
