import { type TemplateResult, html, nothing } from 'lit';
import { Saver } from './saver.js';
import { Sharing } from './save-file.js';
import type { PayingContext } from '../context.js';
import { sideButton } from '../../opening/common.js';

type Words = readonly [save: string, share: string, saved: string, failed: string];

type Act = (event: Event) => boolean | Promise<boolean>;

/**
 * The buttons that save a picture and, where the browser can, share it. The first one says for a while that it was
 * saved; that it could not be is said beside it.
 */
export function saving(
  [save, share, saved, failed]: Words,
  saves: Act,
  shares: Act,
  { helper }: PayingContext,
  size = '',
): TemplateResult {
  const saver = helper(Saver);
  const press = (act: Act) => async (event: Event) => {
    try {
      if (await act(event)) saver.say(saved);
    } catch {
      saver.say(failed);
    }
  };
  return html`${sideButton(saver.said === saved ? saved : save, press(saves), size)}
  ${helper(Sharing).works ? sideButton(share, press(shares), size) : nothing}
  ${saver.said === failed ? html`<p class="failed">${failed}</p>` : nothing}`;
}
