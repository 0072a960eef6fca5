import { html } from 'hono/html';
import type { Clock } from '../../../service/clock.js';
import type { ManualClock } from '../../service/clock.js';
import { MAGIC_DOCUMENTS } from '../../service/creation.js';
import { icon } from '../icons.js';
import type { Html } from '../layout.js';
import { action, type ControlView, copyable } from './view.js';
import type { ControlWords } from './words.js';
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from '../../service/scenarios.js';

/** The sections of the control page that are not lists: what goes wrong on command, and how to connect. */

type MishapGroup = keyof ControlWords['mishapGroups'];

const MISHAP_GROUPS: Readonly<Record<ScenarioName, MishapGroup>> = {
  confirmed: 'outcome',
  declined: 'outcome',
  canceled: 'outcome',
  pending: 'outcome',
  expired: 'outcome',
  'slow-answers': 'api',
  'error-before-work': 'api',
  'error-after-work': 'api',
  'timeout-after-work': 'api',
  'lagging-reads': 'api',
  'repeated-references': 'api',
  'webhooks-slow': 'webhooks',
  'webhooks-lost': 'webhooks',
  'webhooks-duplicated': 'webhooks',
  'webhooks-reordered': 'webhooks',
  'webhooks-forged': 'webhooks',
  'webhooks-forged-with-secret': 'webhooks',
  underpaid: 'money',
  overpaid: 'money',
  'late-confirmation': 'money',
  'other-amounts-refused': 'money',
  'late-payments-refused': 'money',
  'declined-then-confirmed': 'money',
  chargeback: 'money',
  'amount-in-cents-omitted': 'data',
  'amount-as-cents': 'data',
  'pse-url-never-set': 'data',
  'renamed-statuses': 'data',
};

export function mishapsSection(view: ControlView): Html {
  const { words } = view;
  const groups = Object.keys(words.mishapGroups) as MishapGroup[];
  return html`<p class="intro">${words.mishapsLead}</p>
    ${groups.map(
      (group) =>
        html`<section class="group" aria-labelledby="group-${group}">
          <h2 id="group-${group}">${words.mishapGroups[group]}</h2>
          <ul class="mishaps">
            ${SCENARIO_NAMES.filter((name) => MISHAP_GROUPS[name] === group).map((name) => mishap(view, name))}
          </ul>
        </section>`,
    )}`;
}

function mishap(view: ControlView, name: ScenarioName): Html {
  const { words, engine } = view;
  const on = engine.mishaps.everywhere.includes(name);
  const armed = engine.mishaps.armed[name] ?? 0;
  return html`<li data-key="${name}" class="${on || armed > 0 ? 'on' : ''}">
    <div>
      <b class="mono" id="mishap-${name}">${name}</b>
      <p class="muted small">${SCENARIOS[name][view.language]}</p>
      ${armed > 0 ? html`<p class="small caution">${words.armed(armed)}</p>` : ''}
    </div>
    <div class="buttons">
      ${action(
        view,
        'mishap-next',
        html`<input type="hidden" name="scenario" value="${name}" />
          <button class="button ghost small" aria-describedby="mishap-${name}">${words.next}</button>`,
      )}
      ${action(
        view,
        on ? 'mishap-off' : 'mishap-on',
        html`<input type="hidden" name="scenario" value="${name}" />
          <button
            class="switch"
            role="switch"
            aria-checked="${on ? 'true' : 'false'}"
            aria-describedby="mishap-${name}"
          >
            <span class="track"></span>${words.always}
          </button>`,
      )}
    </div>
  </li>`;
}

/** Shown on every section, because a forgotten mishap looks like a bug. */
export function activeMishaps(view: ControlView): Html {
  const { words, engine } = view;
  const { everywhere, armed } = engine.mishaps;
  const active = SCENARIO_NAMES.filter((name) => everywhere.includes(name) || (armed[name] ?? 0) > 0);
  if (active.length === 0) return html``;
  return html`<section class="active" aria-labelledby="active-title">
    <h2 id="active-title">${icon('alert')}${words.active}</h2>
    <ul class="chips">
      ${active.map(
        (name) =>
          html`<li data-key="${name}">
            ${action(
              view,
              'mishap-off',
              html`<input type="hidden" name="scenario" value="${name}" />
                <button class="chip on">
                  <span class="mono">${name}</span>${everywhere.includes(name) ? '' : html` ×${armed[name]}`}
                  ${icon('cross')}<span class="visually-hidden">${words.turnOff(name)}</span>
                </button>`,
            )}
          </li>`,
      )}
    </ul>
    ${action(view, 'mishaps-off', html`<button class="button ghost small">${words.allOff}</button>`)}
  </section>`;
}

export function connectionSection(view: ControlView): Html {
  const { words, engine, connection } = view;
  return html`<p class="intro">${words.connectionLead}</p>
    <section class="group">
      ${copyLine(words.baseUrl, engine.publicUrl, words)} ${copyLine(words.apiKey, connection.apiKey, words)}
      ${copyLine(words.accessToken, connection.accessToken, words)}
    </section>
    ${webhookSection(view)} ${isManual(engine.clock) ? clockSection(view) : ''}
    <section class="group" aria-labelledby="curl-title">
      <h2 id="curl-title">${words.tryCurl} ${copyable(words.tryCurl, curl(view), words)}</h2>
      <pre tabindex="0" aria-labelledby="curl-title">${curl(view)}</pre>
    </section>
    <section class="group" aria-labelledby="magic-title">
      <h2 id="magic-title">${words.magic}</h2>
      <p class="muted small">${words.magicLead}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">${words.magicDocument}</th>
            <th scope="col">${words.magicOutcome}</th>
          </tr>
        </thead>
        <tbody>
          ${magicRows(words).map(
            ([document, outcome]) =>
              html`<tr>
                <th scope="row" class="mono">${document}</th>
                <td>${outcome}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
    <details class="group reset">
      <summary>${words.reset}</summary>
      <p class="muted small">${words.resetLead}</p>
      ${action(view, 'reset', html`<button class="button small danger">${words.resetNow}</button>`)}
    </details>`;
}

function copyLine(name: string, value: string, words: ControlWords): Html {
  return html`<div class="copyline">
    <div><span class="name">${name}</span><span class="mono">${value}</span></div>
    ${copyable(name, value, words)}
  </div>`;
}

function webhookSection(view: ControlView): Html {
  const { words, engine } = view;
  return html`<section class="group" aria-labelledby="webhooks-title">
    <h2 id="webhooks-title">${words.webhooks}</h2>
    ${
      engine.webhooks.length === 0
        ? html`<p class="muted small">${words.webhooksNone}</p>`
        : html`<ul class="targets">
            ${engine.webhooks.map(
              (target) =>
                html`<li data-key="${target.url}">
                  <div>
                    <span class="mono url">${target.url}</span>
                    <span class="mono muted small">${target.headerName}: ${target.headerValue}</span>
                  </div>
                  ${action(
                    view,
                    'webhook-remove',
                    html`<input type="hidden" name="url" value="${target.url}" />
                      <button class="button ghost small">
                        ${words.remove}<span class="visually-hidden"> ${target.url}</span>
                      </button>`,
                  )}
                </li>`,
            )}
          </ul>`
    }
    ${action(
      view,
      'webhook-add',
      html`<div class="webhook-form">
        ${webhookField('url', words.webhookUrl, 'http://localhost:3000/webhooks', '')}
        ${webhookField('headerName', words.webhookHeader, '', 'x-webhook-secret')}
        ${webhookField('headerValue', words.webhookSecret, '', 'sandbox-webhook-secret')}
        <button class="button small">${words.webhookAdd}</button>
      </div>`,
    )}
  </section>`;
}

function webhookField(name: string, label: string, placeholder: string, value: string): Html {
  return html`<div class="field">
    <label for="webhook-${name}">${label}</label>
    <input
      class="input mono"
      id="webhook-${name}"
      name="${name}"
      value="${value}"
      placeholder="${placeholder}"
      autocomplete="off"
      spellcheck="false"
      maxlength="2048"
      required
    />
  </div>`;
}

function clockSection(view: ControlView): Html {
  const { words, engine } = view;
  return html`<section class="group" aria-labelledby="clock-title">
    <h2 id="clock-title">${words.clock}</h2>
    <p class="muted small">
      ${words.clockLead} <span class="mono">${new Date(engine.clock.now()).toISOString()}</span>
    </p>
    ${action(
      view,
      'clock',
      html`<div class="buttons">
        ${Object.entries(words.clockSteps).map(
          ([ms, label]) =>
            html`<button class="button ghost small" name="advanceMs" value="${ms}">${label}</button>`,
        )}
      </div>`,
    )}
  </section>`;
}

export function isManual(clock: Clock): clock is ManualClock {
  return 'advance' in clock;
}

/** The outcomes of the test documents; every other document confirms. */
function magicRows(words: ControlWords): (readonly [string, string])[] {
  return [
    ...[...MAGIC_DOCUMENTS].map(([document, outcome]) => [document, words.statuses[outcome]] as const),
    [words.magicOther, words.statuses.CONFIRMED],
  ];
}

function curl({ engine, connection }: ControlView): string {
  const body = {
    amountInCents: 12_500_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'A-1042',
    breb: { keyType: 'QR_CODE' },
  };
  return [
    `curl ${engine.publicUrl}/payins \\`,
    `  -H 'x-api-key: ${connection.apiKey}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
