import { type TemplateResult, html, nothing } from 'lit';
import type { Attempt } from '../../../contract/backend.js';
import { Ending } from '../controllers/ending.js';
import { Sharing, saveFile, shareFile } from '../codes/save.js';
import { receiptPicture } from '../controllers/receipt-picture.js';
import type { PayingContext } from '../context.js';
import { type Drawn, mainButton, sideButton } from '../../opening/common.js';
import { printReceipt } from './print-receipt.js';

/** The way back to the shop; once it was pressed on a page that does nothing with it, that there is nothing left to do. */
export function finishButton({ messages, send, keep }: PayingContext, main = false): Drawn {
  if (keep(Ending).over) return html`<p class="note over">${messages.canClose}</p>`;
  const finish = () => send({ type: 'finish' });
  return main ? mainButton(messages.finish, finish) : sideButton(messages.finish, finish);
}

/** What can be done with a receipt: paper, a picture to keep, a picture to send. */
export function keeping(
  { reference }: Attempt,
  context: PayingContext,
  more: Drawn = nothing,
): TemplateResult {
  const { messages, announce, keep } = context;
  const rootOf = (event: Event) => (event.currentTarget as Element).getRootNode();
  const print = (event: Event) => {
    const root = rootOf(event);
    if (root instanceof ShadowRoot) printReceipt(root.host);
  };
  const draw = (use: (file: File, title: string) => boolean | Promise<boolean>) => async (event: Event) => {
    try {
      const file = await receiptPicture(rootOf(event) as ShadowRoot, `${messages.receipt}-${reference}`);
      if (await use(file, messages.receipt)) announce(messages.receiptSaved);
    } catch {
      announce(messages.receiptSaveFailed);
    }
  };
  return html`<div class="also">
    ${sideButton(messages.print, print)} ${sideButton(messages.saveReceipt, draw(saveFile))}
    ${keep(Sharing).works ? sideButton(messages.shareReceipt, draw(shareFile)) : nothing} ${more}
  </div>`;
}
