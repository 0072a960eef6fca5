import { type TemplateResult, html, nothing } from 'lit/html.js';
import { css } from '../css.js';
import type { ViewContext } from '../host.js';

/** The code that opens this payment on the payer's phone. It is never drawn of an address that may not be followed. */
export function renderPhone(checkoutUrl: string, context: ViewContext): TemplateResult | undefined {
  const { messages, views } = context;
  const [breb, pse] = [views.get('breb'), views.get('pse')];
  if (!breb || !pse) return undefined;
  const url = pse.safeAddress(checkoutUrl, context.redirectHosts);
  const picture = url === null ? null : views.keep(breb.QrPictures).address(url);
  const failed = !picture || picture.state === 'FAILED';
  return html`<p>${failed ? messages.phoneFailed : messages.phoneLead}</p>
    ${
      picture?.state === 'READY'
        ? html`<div class="qr drawn"><img src=${picture.src} alt=${messages.phoneQrAlt} /></div>`
        : nothing
    }`;
}

export const styles = css`
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
