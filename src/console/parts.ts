import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LogDelivery, LogEvent, ReturnView } from '../contract/console.js';
import { ApiError, type Problem } from './api.js';
import { clockTime, money, pretty, shortMoment } from './format.js';
import { toRoute } from './route.js';
import type { Shell } from './screen.js';
import type { Fact } from './words/words.js';

/** Pieces that several screens are made of. */

export type Content = TemplateResult | string | typeof nothing;

const TONES: Readonly<Record<string, 'good' | 'wait' | 'care' | 'bad'>> = {
  CONFIRMED: 'good',
  COMPLETED: 'good',
  DELIVERED: 'good',
  PAGADO: 'good',
  PENDING: 'wait',
  PROCESSING: 'wait',
  SENDING: 'wait',
  CREATING: 'wait',
  WAITING: 'wait',
  ABIERTO: 'wait',
  DRAFT: 'care',
  UNCLEAR: 'care',
  OTRO_VALOR: 'care',
  DECLINED: 'bad',
  CANCELED: 'bad',
  REFUSED: 'bad',
  EXPIRED: 'bad',
  LOST: 'bad',
  GIVEN_UP: 'bad',
  CONTRACARGO: 'bad',
};

/** A status nobody knows is shown by its own name, as something that is still open. */
export function chip(status: string, { words }: Shell): Content {
  return html`<span class="chip ${TONES[status] ?? 'wait'}">${words.statuses[status] ?? status}</span>`;
}

export function amount(amountInCents: number | null, { words, language }: Shell): string {
  return amountInCents === null ? words.noValue : money(amountInCents, language);
}

export function rail(name: string | null, { words }: Shell): string {
  return named(name, words.rails) ?? words.noValue;
}

/** What the service calls something, in words; a name nobody knows is shown as it is. */
export function named(name: string | null, names: Readonly<Record<string, string>>): string | null {
  return name === null ? null : (names[name] ?? name);
}

/** `CO_CC •••• 1234`, with the kind of document in words. */
export function documentText(document: string | null | undefined, { words }: Shell): string | null {
  if (!document) return null;
  const [type = '', ...number] = document.split(' ');
  return [words.customer.idTypes[type] ?? type, ...number].join(' ');
}

/** The first line of a screen. It takes the focus when the reader arrives. */
export function heading(title: Content, lead: Content = nothing, action: Content = nothing): Content {
  return html`<div class="heading">
    <div>
      <h1 tabindex="-1">${title}</h1>
      ${lead === nothing ? nothing : html`<p class="lead">${lead}</p>`}
    </div>
    ${action}
  </div>`;
}

export function facts(
  { words }: Shell,
  list: readonly (readonly [Fact, Content | string | null | undefined])[],
): Content {
  const given = list.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl class="facts">
    ${given.map(
      ([name, value]) =>
        html`<div>
          <dt>${words.facts[name]}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** What was given back, each with its payout. */
export function returnList(shell: Shell, returns: readonly ReturnView[]): Content {
  if (returns.length === 0) return nothing;
  return html`<h2>${shell.words.returns.title}</h2>
    <ul class="plain-list">
      ${returns.map(
        ({ payout, reference, amountInCents, state }) =>
          html`<li class="bar">
            <a href=${toRoute('payouts', payout)}>${reference}</a> ${amount(amountInCents, shell)}
            ${chip(state, shell)}
          </li>`,
      )}
    </ul>`;
}

export function empty(title: string, hint: string, action: Content = nothing): Content {
  return html`<div class="empty">
    <p><b>${title}</b></p>
    <p>${hint}</p>
    ${action}
  </div>`;
}

/** What stands where an answer is still to come: nothing yet, or the reason why. */
export function pending({ words }: Shell, problem: Problem | undefined, retry: () => void): Content {
  if (problem === undefined) return html`<p class="pending" role="status">${words.loading}</p>`;
  return html`<div class="empty" role="alert">
    <p>${words.problems[problem]}</p>
    <button class="button plain" type="button" @click=${retry}>${words.retry}</button>
  </div>`;
}

/** The last answer is on the screen and the next did not come. */
export function stale({ words }: Shell, problem: Problem | undefined): Content {
  return problem === undefined
    ? nothing
    : html`<p class="trouble" role="status">${words.problems[problem]}</p>`;
}

/** Events as they come, each with its body and every attempt to deliver it. */
export function eventList(shell: Shell, events: readonly LogEvent[]): Content {
  return html`<ul class="events">
    ${repeat(
      events,
      ({ id }) => id,
      (event) => eventItem(shell, event),
    )}
  </ul>`;
}

function eventItem(shell: Shell, event: LogEvent): Content {
  const { words, language } = shell;
  const attempts = event.deliveries.reduce((sum, delivery) => sum + delivery.attempts.length, 0);
  return html`<li>
    <details>
      <summary>
        <b>${event.event}</b>
        ${event.forged ? html`<span class="chip bad">${words.webhooks.forged}</span>` : nothing}
        <span class="what"
          >${event.reference ?? event.resourceId} · ${shortMoment(event.at, language)} ·
          ${words.webhooks.attempts(attempts)}</span
        >
        ${chip(worst(event.deliveries), shell)}
      </summary>
      <div class="inside">
        <h3>${words.webhooks.deliveries}</h3>
        ${
          event.deliveries.length === 0
            ? html`<p>${words.webhooks.noDeliveries}</p>`
            : event.deliveries.map((delivery) => deliveryItem(shell, event, delivery))
        }
        <h3>${words.webhooks.body}</h3>
        <pre tabindex="0" role="region" aria-label=${`${words.webhooks.body}: ${event.event}`}>
${pretty(event.body)}</pre>
      </div>
    </details>
  </li>`;
}

function deliveryItem(shell: Shell, event: LogEvent, delivery: LogDelivery): Content {
  const { words, language } = shell;
  const { attempts, nextAttemptAt, state } = delivery;
  return html`<div class="delivery">
    <p class="bar">
      ${chip(state, shell)} <span class="path">${new URL(delivery.url).pathname}</span>
      <button
        class="button plain small"
        type="button"
        aria-label=${`${words.webhooks.resend}: ${event.event} ${event.reference ?? ''}`}
        @click=${() => void resend(shell, delivery)}
      >
        ${words.webhooks.resend}
      </button>
    </p>
    <ol>
      ${attempts.map(
        ({ at, status, error }) =>
          html`<li class=${status !== null && status < 300 ? 'good' : 'bad'}>
            ${clockTime(at, language)} ·
            ${status === null ? words.webhooks.errors[error ?? 'unreachable'] : words.webhooks.answered(status)}
          </li>`,
      )}
    </ol>
    ${
      state === 'WAITING' && nextAttemptAt !== null
        ? html`<p class="hint">${words.webhooks.nextAttempt(clockTime(nextAttemptAt, language))}</p>`
        : nothing
    }
  </div>`;
}

async function resend({ api, announce, words }: Shell, { id }: LogDelivery): Promise<void> {
  try {
    await api.send('POST', `/deliveries/${id}/resend`);
    announce(words.webhooks.resent);
  } catch (error) {
    announce(words.problems[error instanceof ApiError ? error.problem : 'failed']);
  }
}

/** What most needs a look: an event is only as well delivered as its worst delivery. */
function worst(deliveries: readonly LogDelivery[]): LogDelivery['state'] {
  const order = ['GIVEN_UP', 'LOST', 'WAITING', 'DELIVERED'] as const;
  return order.find((state) => deliveries.some((delivery) => delivery.state === state)) ?? 'LOST';
}
