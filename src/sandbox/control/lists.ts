import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { LINK_STATUSES, PAYIN_STATUSES } from '../../contract/status.js';
import { money } from '../../look/parts/format.js';
import { chip, type Content, empty, icon, turns } from '../../look/parts/parts.js';
import type { ControlList, ControlRow, ListSection } from '../api/control-view.js';
import type { Sample } from '../api/samples.js';
import { type Address, hrefOf, UNFILTERED } from './address.js';
import { send } from './control-client.js';
import { button, type ControlShell, time, toneOf } from './shell.js';

/** The lists of the control page: newest first, one line each, the open one marked. */
export function listSection(shell: ControlShell, section: ListSection, list: ControlList): Content {
  return html`<div class="toolbar">${filters(shell, section)} ${samples(shell, section)}</div>
    ${list.rows.length > 0 ? rows(shell, list) : nothingHere(shell, section, list)}`;
}

function rows(shell: ControlShell, { rows: shown, page, pageSize, matching }: ControlList): Content {
  const first = (page - 1) * pageSize + 1;
  const way = (to: number) => hrefOf(shell.address, { page: to === 1 ? '' : String(to), open: '' });
  return html`<ul class="rows">
      ${repeat(
        shown,
        ({ id }) => id,
        (row) => rowLine(shell, row),
      )}
    </ul>
    ${turns(
      shell,
      { first, last: first + shown.length - 1, total: matching },
      {
        newer: page > 1 ? way(page - 1) : null,
        older: page * pageSize < matching ? way(page + 1) : null,
      },
    )}`;
}

function rowLine(shell: ControlShell, row: ControlRow): Content {
  const { words, address, language } = shell;
  const isOpen = row.id === address.open;
  return html`<li>
    <a
      data-row=${row.id}
      href=${hrefOf(address, { open: isOpen ? '' : row.id })}
      aria-expanded=${isOpen ? 'true' : 'false'}
    >
      <b class="main">${row.title}</b>
      <span class="meta"
        >${row.isMarked ? icon('alert') : nothing}
        ${row.notes.map((note) => `${words.notes[note] ?? note} · `)} ${time(row.at, shell)}</span
      >
      <span class="sum">${row.amountInCents === null ? nothing : money(row.amountInCents, language)}</span>
      ${chip(row.state, shell, toneOf(row.state))}
    </a>
  </li>`;
}

const CLASSES = ['2xx', '4xx', '5xx'] as const;

function statusesOf({ words }: ControlShell, section: ListSection): readonly (readonly [string, string])[] {
  const named = (states: readonly string[]) =>
    states.map((state) => [state, words.statuses[state] ?? state] as const);
  switch (section) {
    case 'payins':
    case 'payouts':
      return named(PAYIN_STATUSES);
    case 'links':
      return named(LINK_STATUSES);
    case 'events':
      return named(['WAITING', 'DELIVERED', 'LOST', 'GIVEN_UP']);
    case 'requests':
      return CLASSES.map((name) => [name, words.statusClasses[name]] as const);
    default:
      return section satisfies never;
  }
}

const FIELDS = ['q', 'status'] as const;
const TYPING_MS = 150;
let typing: ReturnType<typeof setTimeout> | undefined;

function filters(shell: ControlShell, section: ListSection): Content {
  const { words, address } = shell;
  const apply = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const wanted = FIELDS.map((name) => [name, String(data.get(name) ?? '')] as const);
    const change = Object.fromEntries(wanted) as Pick<Address, (typeof FIELDS)[number]>;
    return shell.go(hrefOf(address, { ...change, page: '' }), 'quiet');
  };
  const changed = (event: Event) => {
    const form = event.currentTarget as HTMLFormElement;
    clearTimeout(typing);
    const isTyping = (event.target as HTMLInputElement).type === 'search';
    typing = setTimeout(() => void apply(form), isTyping ? TYPING_MS : 0);
  };
  return html`<form
    class="filters"
    role="search"
    @input=${changed}
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      void apply(event.currentTarget as HTMLFormElement);
    }}
  >
    <label class="grow"
      >${words.filterLabel}
      <input
        id="q"
        name="q"
        type="search"
        maxlength="128"
        autocomplete="off"
        spellcheck="false"
        placeholder=${words.filterHints[section]}
        .value=${address.q}
      />
    </label>
    <label
      >${words.statusLabel}
      <select name="status">
        <option value="" ?selected=${address.status === ''}>${words.all}</option>
        ${statusesOf(shell, section).map(
          ([value, text]) =>
            html`<option value=${value} ?selected=${address.status === value}>${text}</option>`,
        )}
      </select>
    </label>
  </form>`;
}

const SAMPLES = {
  payins: [
    ['qr', 'qr', 'tryQr'],
    ['key', 'key', 'tryKey'],
    ['pse', 'bank', 'tryPse'],
  ],
  payouts: [['payout', 'out', 'tryPayout']],
  links: [['link', 'link', 'tryLink']],
  events: [],
  requests: [],
} as const satisfies Record<ListSection, readonly (readonly [Sample, string, string])[]>;

function samples(shell: ControlShell, section: ListSection): Content {
  const { words, address } = shell;
  const offered = SAMPLES[section];
  if (offered.length === 0) return nothing;
  const create = (sample: Sample) =>
    shell.act(async () => {
      const { id } = await send<{ id: string }>('samples', { sample });
      await shell.go(hrefOf(address, { open: id }));
    });
  return html`<div class="bar" role="group" aria-label=${words.tryIt}>
    <span class="label" aria-hidden="true">${words.tryIt}</span>
    ${offered.map(([sample, picture, word]) =>
      button(html`${icon(picture)} ${words[word]}`, () => void create(sample)),
    )}
  </div>`;
}

function nothingHere(shell: ControlShell, section: ListSection, { total }: ControlList): Content {
  const { words, address } = shell;
  if (total > 0) {
    const clear = html`<a class="button plain" href=${hrefOf(address, UNFILTERED)}>${words.clear}</a>`;
    return empty(words.noMatch, nothing, clear);
  }
  const [title, hint] = {
    payins: [words.emptyPayins, words.emptyPayinsMore],
    payouts: [words.emptyPayouts, words.emptyPayoutsMore],
    links: [words.emptyLinks, words.emptyLinksMore],
    events: [words.emptyEvents, words.emptyEventsMore],
    requests: [words.emptyRequests, words.emptyRequestsMore],
  }[section] as [string, string];
  return empty(title, hint);
}
