import type { BrebAttempt } from '../../../contract/backend.js';
import { isPngDataUrl } from '../../../contract/qr/png.js';
import type { ReactiveController } from 'lit';
import type { Host } from '../../host.js';
import type { QrStyle } from '../../properties.js';
import type { CodeFit, DrawnCode } from './draw-qr.js';
import type { StyledQr } from './styled-qr.js';

/** A QR code to show: on its way, ready, or not to be had. */
export type Picture = { readonly state: 'DRAWING' | 'FAILED' | 'NONE' } | ReadyPicture;

/**
 * Drawn from its text; or the service's own picture, a checked PNG; or drawn in the merchant's style, to be shown as an
 * SVG and saved as a PNG.
 */
export type ReadyPicture =
  | { readonly state: 'READY'; readonly code: DrawnCode; readonly png: null }
  | { readonly state: 'READY'; readonly code: StyledQr | null; readonly png: string };

const FAILED: Picture = { state: 'FAILED' };

/** Checks or draws each code once, however often a screen is rendered. */
export class QrPictures implements ReactiveController {
  readonly #host: Host;
  readonly #pictures = new Map<string, Picture>();
  /** Comes with the first code that is drawn: a service's picture needs no fitting. */
  #fit: CodeFit | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdated(): void {
    this.#fit?.hostUpdated();
  }

  hostDisconnected(): void {
    this.#fit?.hostDisconnected();
  }

  /** The payable code: the service's own picture when it is one, else its text, drawn in the page's style. */
  payment({ amountInCents, sourceData }: BrebAttempt, style: QrStyle | string | null): Picture {
    const { qrString, qrText } = sourceData ?? {};
    const sent: Picture = qrString ? this.#sent(qrString) : { state: 'NONE' };
    if (!qrText || (sent.state !== 'NONE' && sent.state !== 'FAILED')) return sent;
    const plain = this.#draw(`${amountInCents} ${qrText}`, ({ drawPayment }) =>
      drawPayment(qrText, amountInCents),
    );
    return style && plain.state === 'READY' ? this.#styled(qrText, style, plain) : plain;
  }

  /** A code that opens an address. The address must have been checked. */
  address(url: string): Picture {
    return this.#draw(url, ({ drawQr }) => drawQr(url));
  }

  /** The service's picture, as it came. */
  #sent(png: string): Picture {
    const known = this.#pictures.get(png);
    if (known) return known;
    const shown: Picture = isPngDataUrl(png) ? { state: 'READY', code: null, png } : FAILED;
    this.#pictures.set(png, shown);
    return shown;
  }

  /** A code in the merchant's style, and the plain one until it is there, or where it cannot be had. */
  #styled(text: string, style: QrStyle | string, plain: ReadyPicture): Picture {
    const picture = this.#once(`${JSON.stringify(style)} ${text}`, async () => {
      try {
        const { drawStyled } = await import('./styled-qr.js');
        const styled = await drawStyled(text, style);
        return { state: 'READY', code: styled, png: styled.png };
      } catch (reason) {
        // eslint-disable-next-line no-console -- said to the page's engineer
        console.warn('"qr-style" is not used, and the plain code is shown:', reason);
        return FAILED;
      }
    });
    return picture.state === 'READY' ? picture : plain;
  }

  #draw(key: string, draw: (module: typeof import('./draw-qr.js')) => DrawnCode): Picture {
    return this.#once(key, async () => {
      const module = await import('./draw-qr.js');
      const code = draw(module);
      this.#fit ??= new module.CodeFit(this.#host);
      return { state: 'READY', code, png: null };
    });
  }

  #once(key: string, make: () => Promise<Picture>): Picture {
    const known = this.#pictures.get(key);
    if (known) return known;
    const put = (picture: Picture) => {
      this.#pictures.set(key, picture);
      return picture;
    };
    void make()
      .catch(() => FAILED)
      .then((picture) => {
        put(picture);
        this.#host.requestUpdate();
      });
    return put({ state: 'DRAWING' });
  }
}
