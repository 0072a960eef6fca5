import { type TemplateResult, html, nothing } from 'lit';
import { Saver } from '../controllers/saver.js';
import { Sharing } from '../codes/save.js';
import type { PayingContext } from '../context.js';
import { sideButton } from '../../opening/common.js';

interface Words {
  readonly save: string;
  readonly share: string;
  readonly saved: string;
  readonly failed: string;
}

type Act = (event: Event) => boolean | Promise<boolean>;

/**
 * The buttons that save a picture and, where the browser can, share it. The first one says for a while that it was
 * saved; that it could not be is said beside it.
 */
export function saving(
  words: Words,
  save: Act,
  share: Act,
  { keep }: PayingContext,
  size = '',
): TemplateResult {
  const saver = keep(Saver);
  const press = (act: Act) => async (event: Event) => {
    try {
      if (await act(event)) saver.say(words.saved);
    } catch {
      saver.say(words.failed);
    }
  };
  return html`${sideButton(saver.said === words.saved ? words.saved : words.save, press(save), size)}
  ${keep(Sharing).works ? sideButton(words.share, press(share), size) : nothing}
  ${saver.said === words.failed ? html`<p class="failed">${words.failed}</p>` : nothing}`;
}
