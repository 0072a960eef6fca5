import type { BrebAttempt } from '../../contract/backend.js';
import { isPngDataUrl } from '../../contract/qr/png.js';
import type { Host } from '../host.js';

/** A QR code to show: on its way, a checked picture, or not to be had. */
export type Picture =
  | { readonly state: 'DRAWING' | 'FAILED' | 'NONE' }
  | { readonly state: 'READY'; readonly src: string; readonly drawn: boolean };

const FAILED: Picture = { state: 'FAILED' };

/** Checks or draws each code once, however often a screen is rendered. */
export class QrPictures {
  readonly #host: Host;
  readonly #pictures = new Map<string, Picture>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** The payable code: the service's own picture when it is one, else its text, drawn. */
  payment({ amountInCents, sourceData }: BrebAttempt): Picture {
    const { qrString, qrText } = sourceData ?? {};
    const sent: Picture = qrString
      ? this.#once(qrString, () =>
          isPngDataUrl(qrString) ? { state: 'READY', src: qrString, drawn: false } : FAILED,
        )
      : { state: 'NONE' };
    if (sent.state === 'READY' || !qrText) return sent;
    return this.#draw(`${amountInCents} ${qrText}`, ({ drawPayment }) => drawPayment(qrText, amountInCents));
  }

  /** A code that opens an address. The address must have been checked. */
  address(url: string): Picture {
    return this.#draw(url, ({ drawQr }) => drawQr(url));
  }

  #once(key: string, make: () => Picture): Picture {
    let picture = this.#pictures.get(key);
    if (!picture) this.#pictures.set(key, (picture = make()));
    return picture;
  }

  #draw(key: string, draw: (module: typeof import('./draw-qr.js')) => Promise<string>): Picture {
    return this.#once(key, () => {
      const put = (picture: Picture) => {
        this.#pictures.set(key, picture);
        this.#host.requestUpdate();
      };
      import('./draw-qr.js').then(draw).then(
        (src) => put({ state: 'READY', src, drawn: true }),
        () => put(FAILED),
      );
      return { state: 'DRAWING' };
    });
  }
}
