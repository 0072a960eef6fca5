import { type TemplateResult, html, nothing } from 'lit';
import type { Attempt } from '../../../contract/backend.js';
import { saveFile, shareFile } from './save-file.js';
import type { PayingContext } from '../context.js';
import { type Drawn, sideButton } from '../../opening/common.js';
import { saving } from './saving.js';
import { printReceipt } from './print-receipt.js';

export const CLOCK = 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2';

/** What can be done with a receipt: paper, a picture to keep, a picture to send. */
export function receiptActions(
  { reference }: Attempt,
  context: PayingContext,
  more: Drawn = nothing,
): TemplateResult {
  const { messages } = context;
  const rootOf = (event: Event) => (event.currentTarget as Element).getRootNode() as ShadowRoot;
  const draw = (use: typeof saveFile | typeof shareFile) => async (event: Event) => {
    const root = rootOf(event);
    // Few payers keep it, and no outcome needs it: a file of its own.
    const { receiptPicture } = await import('./receipt-picture.js');
    return use(await receiptPicture(root, `${messages.receipt}-${reference}`), messages.receipt);
  };
  return html`<div class="also">
    ${sideButton(messages.print, (event) => printReceipt(rootOf(event).host))}
    ${saving(
      [messages.saveReceipt, messages.shareReceipt, messages.receiptSaved, messages.receiptSaveFailed],
      draw(saveFile),
      draw(shareFile),
      context,
    )}
    ${more}
  </div>`;
}
