import { type TemplateResult, html, nothing } from 'lit';
import type { Paying } from '../../../machine/state.js';
import { Copier } from './copier.js';
import type { KeyContext } from '../context.js';
import { title } from '../../opening/common.js';
import { appChoice, openStep } from './apps.js';
import { brebCode, brebItems, brebRows, brebSteps, brebWays, showCurrent } from './breb.js';
import { copies } from './copy-row.js';
import { waitLine } from './wait-line.js';

/**
 * Bre-B on the device that has the bank's app too: a phone cannot scan its own screen, so the payer copies the key, then
 * the amount, pays in the app and comes back. One button says what is next.
 */
export function renderOneDevice(screen: Paying, context: KeyContext): TemplateResult {
  const { messages, helper } = context;
  const { attempt } = screen;
  const copier = helper(Copier);
  const items = brebItems(screen, context);
  const left = items.find(({ text }) => !copier.done.has(text));
  const next = left
    ? {
        label: left.action,
        // The second tap of a double one would copy what the button has only just become.
        press: (event: Event) => copier.isFresh || copies(left, context)(event),
      }
    : null;
  return html`<div class="body" part="body">
      ${title(messages.brebTitle, messages.brebLeadKey)} ${showCurrent(screen, context)}
      <div class="split alone" ?inert=${attempt.replaced ?? false}>
        ${brebRows(screen, context)} ${appChoice(screen, items[0], context)}
        ${brebSteps(screen, context, openStep(screen, context), messages.stepPayKey, messages.stepReturn)}
      </div>
      ${attempt.replaced ? nothing : html`<div><div class="scan">${brebCode(screen, context)}</div></div>`}
      ${brebWays(screen, context)}
    </div>
    ${waitLine(screen, context, messages, attempt.replaced ? undefined : next)}`;
}
