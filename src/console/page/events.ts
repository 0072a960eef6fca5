import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LogDelivery, LogEvent } from '../../contract/merchant/console.js';
import { problemOf } from './api.js';
import { clockTime, pretty, shortMoment } from '../../look/parts/format.js';
import { attemptLines, chip, type Content, copyable } from '../../look/parts/parts.js';
import { facts, named, orderLine } from './parts.js';
import { toRoute } from './route.js';
import type { Shell } from './screen.js';
import type { Fact } from './words/words.js';

/** Webhooks as they come, each with what it is about, its body and every attempt to deliver it. */

const SUBJECTS = {
  payins: 'payin',
  payouts: 'payout',
  links: 'link',
} as const satisfies Record<NonNullable<LogEvent['subject']>['section'], Fact>;

/** The webhooks about some payins, payouts or links. What they are about matters more than its log. */
export async function eventsAbout(
  { api, has }: Shell,
  ids: readonly (string | null)[],
  signal: AbortSignal,
): Promise<readonly LogEvent[]> {
  const known = ids.filter((id) => id !== null);
  if (known.length === 0 || !has('webhooks')) return [];
  const query = new URLSearchParams(known.map((id) => ['about', id]));
  return api.get<LogEvent[]>(`/events?${query.toString()}`, signal).catch(() => []);
}

export function eventList(shell: Shell, events: readonly LogEvent[]): Content {
  return html`<ul class="events">
    ${repeat(
      events,
      ({ id }) => id,
      (event) => eventItem(shell, event),
    )}
  </ul>`;
}

/** A panel with the webhooks of one thing. */
export function eventPanel(
  shell: Shell,
  title: string,
  events: readonly LogEvent[],
  hint: Content = nothing,
): Content {
  return html`<section class="panel">
    <h2>${title}</h2>
    ${hint === nothing ? nothing : html`<p class="hint">${hint}</p>`}
    ${
      events.length > 0 ? eventList(shell, events) : html`<p class="hint">${shell.words.webhooks.noneYet}</p>`
    }
  </section>`;
}

function eventItem(shell: Shell, event: LogEvent): Content {
  const { words, language } = shell;
  const attempts = event.deliveries.reduce((sum, delivery) => sum + delivery.attempts.length, 0);
  return html`<li>
    <details>
      <summary>
        <b title=${event.event}>${named(event.event, words.webhooks.names)}</b>
        ${event.forged ? html`<span class="chip bad">${words.webhooks.forged}</span>` : nothing}
        <span class="what"
          >${event.reference ?? event.resourceId} · ${shortMoment(event.at, language)} ·
          ${words.webhooks.attempts(attempts)}</span
        >
        ${chip(worst(event.deliveries), shell)}
      </summary>
      <div class="inside">
        ${facts(shell, [
          subjectFact(shell, event),
          ['order', orderLine(shell, event.order)],
          ['serviceId', copyable(shell, words.facts.serviceId, event.resourceId)],
        ])}
        <p class="label">${words.webhooks.deliveries}</p>
        ${
          event.deliveries.length === 0
            ? html`<p>${words.webhooks.noDeliveries}</p>`
            : event.deliveries.map((delivery) => deliveryItem(shell, event, delivery))
        }
        <p class="label">${words.webhooks.body}</p>
        <pre tabindex="0" role="region" aria-label=${`${words.webhooks.body}: ${event.event}`}>
${pretty(event.body)}</pre>
      </div>
    </details>
  </li>`;
}

function subjectFact(shell: Shell, { subject, reference, resourceId }: LogEvent): [Fact, Content | null] {
  const name = reference ?? resourceId;
  const fact = subject === null ? 'reference' : SUBJECTS[subject.section];
  const shown = subject && html`<a href=${toRoute(subject.section, subject.id)}>${name}</a>`;
  return [fact, copyable(shell, shell.words.facts.reference, name, shown ?? name)];
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
        aria-label=${`${words.webhooks.resend}: ${named(event.event, words.webhooks.names)} ${event.reference ?? ''}`}
        @click=${() => void resend(shell, delivery)}
      >
        ${words.webhooks.resend}
      </button>
    </p>
    ${attemptLines(
      attempts.map(({ at, status, error }) => ({
        at,
        status,
        what:
          status === null ? words.webhooks.errors[error ?? 'unreachable'] : words.webhooks.answered(status),
      })),
      (at) => clockTime(at, language),
    )}
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
    announce(words.problems[problemOf(error)]);
  }
}

/** What most needs a look: an event is only as well delivered as its worst delivery. */
function worst(deliveries: readonly LogDelivery[]): LogDelivery['state'] {
  const order = ['GIVEN_UP', 'LOST', 'WAITING', 'DELIVERED'] as const;
  return order.find((state) => deliveries.some((delivery) => delivery.state === state)) ?? 'LOST';
}
