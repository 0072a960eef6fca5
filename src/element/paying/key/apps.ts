import * as v from 'valibot';
import { type TemplateResult, css, html, nothing } from 'lit';
import type { BrebApp } from '../../../contract/offer.js';
import type { Paying } from '../../../machine/state.js';
import { createMemory } from '../../../transport/memory.js';
import type { KeyContext } from '../context.js';
import { safeAddress } from '../safe-address.js';
import type { Drawn } from '../../opening/common.js';
import { type Copyable, copies } from './copy-row.js';

/** The name has a space, which no order's token has. */
const lastApp = createMemory(
  'last app',
  (value) => v.parse(v.string(), value),
  () => localStorage,
);

/** The app that the payer chose, here or at an earlier payment on this device. */
class ChosenApp {
  readonly last = lastApp.recall();
  name = this.last;
}

const appsOf = ({ offer }: Paying): readonly BrebApp[] =>
  offer?.methods.flatMap((method) => ('apps' in method && method.apps) || []) ?? [];

/** The apps of most payers, the one chosen last before the others. Choosing one copies the key and opens it. */
export function appChoice(screen: Paying, key: Copyable, context: KeyContext): Drawn {
  const apps = new Map(appsOf(screen).map((app) => [app.name, app]));
  if (apps.size === 0) return nothing;
  const { messages, helper, prefill } = context;
  if (!prefill.mayRemember) lastApp.remember(null);
  const last = apps.get(helper(ChosenApp).last ?? '');
  const sorted = new Set(last ? [last, ...apps.values()] : apps.values());
  return html`<fieldset class="apps" part="apps">
    <legend>${messages.whichApp}</legend>
    <p class="hint">${messages.whichAppHint}</p>
    <div class="chips">${[...sorted].map((app) => appButton(app, key, context))}</div>
  </fieldset>`;
}

function appButton({ name, url }: BrebApp, key: Copyable, context: KeyContext): TemplateResult {
  const { helper, prefill, redraw, redirectHosts } = context;
  const chosen = helper(ChosenApp);
  const address = url === undefined ? null : safeAddress(url, redirectHosts);
  const choose = (event: Event) => {
    chosen.name = name;
    lastApp.remember(prefill.mayRemember ? name : null);
    copies(key, context, true)(event);
    redraw();
  };
  const current = chosen.name === name ? 'true' : nothing;
  return address === null
    ? html`<button class="btn ghost small" part="app" type="button" aria-current=${current} @click=${choose}>
        ${name}
      </button>`
    : html`<a
        class="btn ghost small"
        part="app"
        href=${address}
        target="_blank"
        rel="noreferrer"
        aria-current=${current}
        @click=${choose}
        >${name}</a
      >`;
}

/** The first step, in the app that was chosen where its way is known. */
export function openStep(screen: Paying, { messages, helper }: KeyContext): TemplateResult {
  const app = appsOf(screen).find(({ name }) => name === helper(ChosenApp).name);
  return app?.path
    ? strong(messages.stepOpenApp(app.name, app.path), app.path)
    : strong(messages.stepOpen, 'Bre-B');
}

/** A sentence with one part of it in bold. */
export function strong(sentence: string, part: string | null): TemplateResult {
  const at = part ? sentence.indexOf(part) : -1;
  if (!part || at < 0) return html`${sentence}`;
  return html`${sentence.slice(0, at)}<b>${part}</b>${sentence.slice(at + part.length)}`;
}

export const appsStyles = css`
  .apps legend {
    padding: 0;
    font-size: 0.9375em;
    font-weight: 600;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-block-start: 8px;
  }
  .apps [aria-current] {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }
`;
