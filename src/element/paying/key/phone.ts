import { type TemplateResult, css, html, nothing } from 'lit';
import { QrPictures } from '../codes/pictures.js';
import type { KeyContext } from '../context.js';
import { safeAddress } from '../safe-address.js';
import { codeImage } from './qr.js';

/** The code that opens this payment on the payer's phone. It is never drawn of an address that may not be followed. */
export function renderPhone(checkoutUrl: string, context: KeyContext): TemplateResult {
  const { messages, helper } = context;
  const url = safeAddress(checkoutUrl, context.redirectHosts);
  const picture = url === null ? null : helper(QrPictures).address(url);
  const failed = !picture || picture.state === 'FAILED';
  return html`<p>${failed ? messages.phoneFailed : messages.phoneLead}</p>
    ${
      picture?.state === 'READY'
        ? html`<div class="qr">${codeImage(picture, messages.phoneQrAlt)}</div>`
        : nothing
    }`;
}

export const phoneStyles = css`
  .phone p {
    font-size: 0.875em;
    color: var(--_text-muted);
    margin-block-end: 8px;
  }
  .phone .qr {
    inline-size: 180px;
    margin-inline: auto;
  }
`;
