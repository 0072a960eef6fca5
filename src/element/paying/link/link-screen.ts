import { type TemplateResult, css, html, nothing } from 'lit';
import type { Link } from '../../../machine/state.js';
import { QrPictures } from '../codes/pictures.js';
import type { LinkContext } from '../context.js';
import { safeAddress } from '../safe-address.js';
import { sideButton, title } from '../../opening/common.js';
import { anotherMethod } from '../ways.js';
import { copyRow } from '../key/copy-row.js';
import { codeImage } from '../key/qr.js';
import { waitLine } from '../key/wait-line.js';

/** The hosted page's address: to follow, copy, share or scan. */
export function renderLink(screen: Link, context: LinkContext): TemplateResult {
  const { messages, helper, send } = context;
  const url = screen.url === null ? null : safeAddress(screen.url, context.redirectHosts);
  const words = { expiresIn: messages.linkExpiresIn, expiresSoon: messages.linkExpiresSoon };
  if (url === null) {
    return html`<div class="body" part="body">
        ${title(messages.linkTitle, `${messages.unsafeAddress} ${messages.payElsewhere(context.others)}`)}
        ${sideButton(messages.otherMethod, () => send({ type: 'another-method' }))}
      </div>
      ${waitLine(screen, context, words)}`;
  }
  // Also on a phone: at a counter the payer scans the seller's screen.
  const picture = helper(QrPictures).address(url);
  const share = () => {
    navigator.share({ url }).catch(() => undefined);
  };
  return html`<div class="body ${context.touch ? 'touch' : ''}" part="body">
      ${title(messages.linkTitle, messages.linkLead)}
      <div class="way">
        ${
          picture.state === 'READY'
            ? html`<div class="qr" part="qr">${codeImage(picture, messages.linkQrAlt)}</div>`
            : nothing
        }
        <div class="rows">
          <button class="btn" part="button" type="button" @click=${() => send({ type: 'follow' })}>
            ${messages.goToLink}
          </button>
          ${copyRow(
            {
              label: messages.linkAddress,
              shown: url,
              text: url,
              action: messages.copyLink,
              done: messages.linkCopied,
              look: 'address',
            },
            context,
          )}
          <div class="row">
            ${'share' in navigator ? sideButton(messages.shareLink, share) : nothing}
            ${anotherMethod(screen.attempt, context)}
          </div>
        </div>
      </div>
    </div>
    ${waitLine(screen, context, words)}`;
}

export const linkStyles = css`
  .way,
  .way > .rows {
    display: flex;
    flex-direction: column;
    gap: 14px;
  }
  .way > .qr {
    inline-size: 220px;
    flex: none;
    align-self: center;
  }
  .value.address {
    font-size: 0.9375em;
    font-weight: 500;
  }
  @container (min-width: 37.5em) {
    .way {
      flex-direction: row;
      gap: calc(var(--_space) * 7);
    }
    .way > .qr {
      align-self: start;
    }
    .way > .rows {
      flex: 1;
      min-inline-size: 0;
    }
  }
`;
