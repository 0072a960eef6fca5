import { html } from 'hono/html';
import type { LoggedRequest } from '../../api/request-log.js';
import type { Html } from '../layout.js';
import { type ControlView, copyable, pill, type Row } from './view.js';

/** The log of what the merchant's server sent. A developer shares such a screen, so that payers stay masked. */

export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

export function statusClass(status: number): StatusClass {
  return status < 400 ? '2xx' : status < 500 ? '4xx' : '5xx';
}

export function requestWords({ id, method, path, status }: LoggedRequest): string[] {
  return [id, `${method} ${path}`, String(status)];
}

export function requestRow(request: LoggedRequest, { words }: ControlView): Row {
  return {
    id: request.id,
    pill: statusPill(request),
    title: titleOf(request),
    detail: [words.took(request.durationMs)],
    atMs: request.createdAtMs,
    marked: false,
  };
}

export function titleOf({ method, path }: LoggedRequest): string {
  return `${method} ${path.replace(/^(\/breb\/keys\/).+$/, `$1${MASK}`)}`;
}

function statusPill({ status }: LoggedRequest): Html {
  switch (statusClass(status)) {
    case '2xx':
      return pill('check', 'positive', String(status));
    case '4xx':
      return pill('alert', 'caution', String(status));
    case '5xx':
      return pill('cross', 'negative', String(status));
  }
}

export function requestDetail({ words }: ControlView, request: LoggedRequest): Html {
  return html`<p class="small muted">
      ${words.took(request.durationMs)} ·
      <span class="mono">${request.id}</span>${copyable('x-request-id', request.id, words)}
    </p>
    ${request.sent === null ? '' : body(words.sent, request.sent)} ${body(words.answered, request.answered)}
    <p class="small muted">${words.masked}</p>`;
}

function body(title: string, text: string): Html {
  return html`<section>
    <h3>${title}</h3>
    <pre tabindex="0" aria-label="${title}">${maskedJson(text)}</pre>
  </section>`;
}

const MASK = '•••';
/** What a payer or a receiver can be known by; the service's own names for it. */
const PERSONAL = new Set([
  'name',
  'idNumber',
  'documentNumber',
  'phone',
  'email',
  'bankAccountNumber',
  'inlineCustomer',
  'keyString',
]);
const MAX_SHOWN = 8_000;

/** JSON to read, with personal data masked; pictures and long lists are cut. */
function maskedJson(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It was refused for not being JSON: what it says may be anything.
    return `${MASK} (${text.length})`;
  }
  const masked = JSON.stringify(
    value,
    (key, inner: unknown) => {
      if (typeof inner !== 'string') return inner;
      if (PERSONAL.has(key)) return MASK;
      return inner.startsWith('data:') ? `${inner.slice(0, 32)}…` : inner;
    },
    2,
  );
  return masked.length > MAX_SHOWN ? `${masked.slice(0, MAX_SHOWN)}\n…` : masked;
}
