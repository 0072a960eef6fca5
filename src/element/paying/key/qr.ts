import { type TemplateResult, css, html, nothing, svg } from 'lit';
import type { Picture, ReadyPicture } from '../codes/pictures.js';
import type { KeyContext } from '../context.js';
import { save, share } from '../codes/save.js';
import { saving } from '../outcomes/saving.js';
import { icon, sideButton } from '../../opening/common.js';

const CLOSE = 'M6 6l12 12M18 6 6 18';

/**
 * A payable code with what a payer does with it, and the same code large in a dialog. On a touch screen only there: the
 * payer cannot scan it, but another device can.
 */
export function payableQr(
  picture: Picture,
  alt: string,
  amount: TemplateResult,
  file: string,
  context: KeyContext,
): TemplateResult {
  const { messages, touch } = context;
  // Its tools take their room before there is a code to use them on.
  const ready = picture.state === 'READY' ? picture : null;
  const enlarge = (event: Event) =>
    (event.currentTarget as Element).closest('.scan')?.querySelector('dialog')?.showModal();
  const act = (action: typeof save) => () => ready !== null && action(ready, file);
  const close = (event: Event) => (event.currentTarget as Element).closest('dialog')?.close();
  return html`${
      touch
        ? nothing
        : html`<div class="qr" part="qr">
            ${ready ? codeImage(ready, alt) : html`<span class="spin"></span>`}
          </div>`
    }
    <div class="qrtools ${ready ? '' : 'unready'}">
      ${sideButton(
        touch
          ? messages.showQr
          : html`<span class="inline">${messages.enlargeQr}</span
              ><span class="hidden">${messages.showQr}</span>`,
        enlarge,
        'small',
      )}
      ${saving(
        [messages.saveQr, messages.shareQr, messages.qrSaved, messages.qrSaveFailed],
        act(save),
        act(share),
        context,
        'small',
      )}
    </div>
    ${
      ready
        ? html`<dialog class="zoom" part="qr-dialog" aria-label=${alt}>
            <div class="qr">${codeImage(ready, alt)}</div>
            <p class="total">${amount}</p>
            ${sideButton(html`${icon(CLOSE)}${messages.close}`, close)}
          </dialog>`
        : nothing
    }`;
}

/** A code as an image: the service's picture as it came, or modules that are sharp at every size. */
export function codeImage(picture: ReadyPicture, alt: string): TemplateResult {
  const { code, png } = picture;
  if (!code) return html`<img src=${png} alt=${alt} decoding="sync" />`;
  return html`<svg role="img" aria-label=${alt} viewBox="0 0 ${code.modules} ${code.modules}">
    ${'path' in code ? svg`<path d=${code.path}></path>` : svg`<image href=${code.svg} width="100%"></image>`}
  </svg>`;
}

/**
 * White behind and around in every theme, because phones read nothing else, also where the picture brings no margin.
 * Where a module has few pixels and the picture is made smaller, one pixel less is misread: smoothing evens them out.
 */
export const qrStyles = css`
  .qr {
    display: flex;
    align-items: center;
    justify-content: center;
    inline-size: 344px;
    max-inline-size: 100%;
    aspect-ratio: 1;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: #fff;
    color: #14171f;
    overflow: clip;
    forced-color-adjust: none;
  }
  .qr img,
  .qr svg {
    inline-size: 100%;
    block-size: auto;
    aspect-ratio: 1;
  }
  .qr img {
    padding: 8px;
    image-rendering: pixelated;
  }
  @media (max-resolution: 1.2dppx) {
    .qr img {
      image-rendering: auto;
    }
  }
  .qr svg {
    fill: #000;
    stroke: none;
    shape-rendering: crispEdges;
  }
  .qrtools {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
    min-block-size: 44px;
  }
  .unready {
    visibility: hidden;
  }
  .zoom {
    inline-size: 100%;
    block-size: 100%;
    max-inline-size: 100%;
    max-block-size: 100%;
    padding: 0;
    border: 0;
    background: #fff;
    color: #14171f;
  }
  .zoom[open] {
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    gap: 16px;
  }
  .zoom .qr {
    inline-size: max(280px, min(100vw, 100vh - 150px, 720px));
    max-inline-size: 100%;
    border: 0;
    border-radius: 0;
  }
  .zoom .total {
    flex: none;
    margin: 0;
  }
  .zoom .btn {
    inline-size: auto;
    border-color: #8b94a5;
  }
  .zoom .ghost:hover {
    background: #f6f7f9;
  }
`;
