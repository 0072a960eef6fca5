import { html, nothing } from 'lit';
import { type Content, copyable, icon } from '../../look/parts/parts.js';
import type { ConnectionView } from '../api/control-view.js';
import type { ScenarioName } from '../service/scenarios.js';
import type { WebhookTarget } from '../service/webhooks.js';
import { send } from './control-client.js';
import { button, type ControlShell, fieldsOf } from './shell.js';
import type { ControlWords } from './words.js';

/** The sections that are not lists: what goes wrong on command, and how to connect. */

const GROUPS = {
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
} as const satisfies Record<ScenarioName, keyof ControlWords['mishapGroups']>;

const NAMES = Object.keys(GROUPS) as ScenarioName[];

export function mishapsSection(shell: ControlShell): Content {
  const { words } = shell;
  const groups = Object.keys(words.mishapGroups) as (keyof ControlWords['mishapGroups'])[];
  return groups.map(
    (group) =>
      html`<section class="panel" aria-labelledby=${`group-${group}`}>
        <h2 id=${`group-${group}`}>${words.mishapGroups[group]}</h2>
        <ul class="plain-list mishaps">
          ${NAMES.filter((name) => GROUPS[name] === group).map((name) => mishap(shell, name))}
        </ul>
      </section>`,
  );
}

function mishap(shell: ControlShell, name: ScenarioName): Content {
  const { words, view, scenarios, language } = shell;
  const isOn = view.mishaps.everywhere.includes(name);
  const armed = view.mishaps.armed[name] ?? 0;
  const described = `mishap-${name}`;
  return html`<li class=${isOn || armed > 0 ? 'on' : nothing}>
    <div>
      <b class="mono" id=${described}>${name}</b>
      <p class="hint">${scenarios[name]?.[language]}</p>
      ${armed > 0 ? html`<p class="fault">${words.armed(armed)}</p>` : nothing}
    </div>
    <div class="bar">
      <button
        class="button plain small"
        type="button"
        aria-describedby=${described}
        @click=${() => void shell.act(() => arm(name, armed + 1))}
      >
        ${words.next}
      </button>
      <button
        class="switch"
        type="button"
        role="switch"
        aria-checked=${isOn ? 'true' : 'false'}
        aria-describedby=${described}
        @click=${() => void shell.act(() => (isOn ? turnOff(shell, name) : turnOn(name)))}
      >
        <span class="track"></span>${words.always}
      </button>
    </div>
  </li>`;
}

const turnOn = (scenario: ScenarioName) => send('mishaps', { scope: 'everywhere', scenario, on: true });
const arm = (scenario: ScenarioName, count: number) => send('mishaps', { scope: 'next', scenario, count });

async function turnOff({ view }: ControlShell, scenario: ScenarioName): Promise<void> {
  if (view.mishaps.everywhere.includes(scenario))
    await send('mishaps', { scope: 'everywhere', scenario, on: false });
  if (view.mishaps.armed[scenario] !== undefined) await arm(scenario, 0);
}

/** Shown on every section, because a forgotten mishap looks like a bug. */
export function activeMishaps(shell: ControlShell): Content {
  const { words, view } = shell;
  const { everywhere, armed } = view.mishaps;
  const active = NAMES.filter((name) => everywhere.includes(name) || (armed[name] ?? 0) > 0);
  if (active.length === 0) return nothing;
  const allOff = async () => {
    for (const name of active) await turnOff(shell, name);
  };
  return html`<section class="trouble bar" aria-labelledby="active-title">
    <h2 id="active-title">${icon('alert')} ${words.active}</h2>
    ${active.map((name) =>
      button(
        html`<span class="mono">${name}</span>${everywhere.includes(name) ? nothing : ` ×${armed[name]}`}
          ${icon('cross')}<span class="sr">${words.turnOff(name)}</span>`,
        () => void shell.act(() => turnOff(shell, name)),
      ),
    )}
    ${button(words.allOff, () => void shell.act(allOff))}
  </section>`;
}

export function connectionSection(shell: ControlShell, connection: ConnectionView): Content {
  const { words } = shell;
  const line = (name: string, value: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd class="mono">${copyable(shell, name, value)}</dd>
    </div>`;
  return html`<section class="panel">
      <dl class="facts">
        ${line(words.baseUrl, connection.baseUrl)} ${line(words.apiKey, connection.apiKey)}
        ${line(words.accessToken, connection.accessToken)}
      </dl>
    </section>
    ${webhooks(shell, connection.webhooks)}
    <section class="panel">
      <h2 id="curl-title">${words.tryCurl}</h2>
      <pre tabindex="0" role="region" aria-labelledby="curl-title">
${copyable(shell, words.tryCurl, curl(connection))}</pre>
    </section>
    <section class="panel" aria-labelledby="magic-title">
      <h2 id="magic-title">${words.magic}</h2>
      <p class="hint">${words.magicLead}</p>
      <table class="compared">
        <thead>
          <tr>
            <th scope="col">${words.magicDocument}</th>
            <th scope="col">${words.magicOutcome}</th>
          </tr>
        </thead>
        <tbody>
          ${[...connection.documents, [words.magicOther, 'CONFIRMED'] as const].map(
            ([document, outcome]) =>
              html`<tr>
                <th scope="row" class="mono">${document}</th>
                <td>${words.statuses[outcome]}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
    <details class="panel">
      <summary>${words.reset}</summary>
      <p class="hint">${words.resetLead}</p>
      ${button(words.resetNow, () => void shell.act(() => send('reset')), 'bad')}
    </details>`;
}

const TARGET = { url: '', headerName: 'x-webhook-secret', headerValue: 'sandbox-webhook-secret' };

function webhooks(shell: ControlShell, targets: readonly WebhookTarget[]): Content {
  const { words } = shell;
  const put = (wanted: readonly WebhookTarget[]) => send('webhooks', { targets: wanted }, 'PUT');
  const others = (url: string) => targets.filter((target) => target.url !== url);
  const add = (event: SubmitEvent) => {
    const form = event.currentTarget as HTMLFormElement;
    const field = fieldsOf(event);
    const target = { url: field('url'), headerName: field('headerName'), headerValue: field('headerValue') };
    void shell.act(async () => {
      await put([...others(target.url), target]);
      form.reset();
    });
  };
  const input = (name: keyof WebhookTarget, label: string, placeholder = '') =>
    html`<label
      >${label}
      <input
        class="mono"
        name=${name}
        .defaultValue=${TARGET[name]}
        placeholder=${placeholder}
        autocomplete="off"
        spellcheck="false"
        maxlength="2048"
        required
      />
    </label>`;
  return html`<section class="panel" aria-labelledby="webhooks-title">
    <h2 id="webhooks-title">${words.webhooks}</h2>
    ${targets.length === 0 ? html`<p class="hint">${words.webhooksNone}</p>` : nothing}
    <ul class="plain-list">
      ${targets.map(
        ({ url, headerName, headerValue }) =>
          html`<li class="bar">
            <span class="path">${url}<br /><span class="hint">${headerName}: ${headerValue}</span></span>
            ${button(
              html`${words.remove}<span class="sr"> ${url}</span>`,
              () => void shell.act(() => put(others(url))),
            )}
          </li>`,
      )}
    </ul>
    <form class="filters" @submit=${add}>
      ${input('url', words.webhookUrl, 'http://localhost:3000/webhooks')}
      ${input('headerName', words.webhookHeader)} ${input('headerValue', words.webhookSecret)}
      <button class="button">${words.webhookAdd}</button>
    </form>
  </section>`;
}

function curl({ baseUrl, apiKey }: ConnectionView): string {
  const body = {
    amountInCents: 12_500_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'A-1042',
    breb: { keyType: 'QR_CODE' },
  };
  return [
    `curl ${baseUrl}/payins \\`,
    `  -H 'x-api-key: ${apiKey}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
