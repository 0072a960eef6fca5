import type { ViewHost } from './view-context.js';

/** Drawn codes are saved this large or larger; bank apps read small pictures badly. */
const SAVED_PX = 1_024;

/** Saves, shares and enlarges a QR code. */
export class QrActions {
  readonly #host: ViewHost;

  constructor(host: ViewHost) {
    this.#host = host;
  }

  /** Whether this browser can hand a picture to other apps. */
  readonly canShare = canShareFiles();

  enlarge(): void {
    this.#host.renderRoot.querySelector<HTMLDialogElement>('dialog.zoom')?.showModal();
  }

  async save(picture: HTMLImageElement | null, name: string, said: Said): Promise<void> {
    try {
      const file = await pngFile(picture, name);
      const address = URL.createObjectURL(file);
      const link = document.createElement('a');
      link.href = address;
      link.download = file.name;
      link.click();
      // Revoked late: some browsers start to read only after the click returns.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      this.#host.announce(said.done);
    } catch {
      this.#host.announce(said.failed);
    }
  }

  async share(picture: HTMLImageElement | null, name: string, said: Said): Promise<void> {
    try {
      await navigator.share({ files: [await pngFile(picture, name)], title: name });
    } catch (reason) {
      // The payer closed the sheet.
      if (reason instanceof DOMException && reason.name === 'AbortError') return;
      await this.save(picture, name, said);
    }
  }
}

interface Said {
  readonly done: string;
  readonly failed: string;
}

function canShareFiles(): boolean {
  if (typeof navigator === 'undefined' || !('canShare' in navigator)) return false;
  return navigator.canShare({ files: [new File([''], 'qr.png', { type: 'image/png' })] });
}

/** The service's own bytes as they came, or a drawn code with whole pixels for each module. */
async function pngFile(picture: HTMLImageElement | null, name: string): Promise<File> {
  if (!picture) throw new TypeError('There is no picture');
  const blob = picture.src.startsWith('data:image/png') ? decode(picture.src) : await rasterize(picture);
  return new File([blob], `${name.replace(/[^\w-]+/g, '-')}.png`, { type: 'image/png' });
}

function decode(dataUrl: string): Blob {
  // Not fetch(): a strict policy refuses to connect to data URLs.
  const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (byte) => byte.charCodeAt(0));
  return new Blob([bytes], { type: 'image/png' });
}

async function rasterize(picture: HTMLImageElement): Promise<Blob> {
  const scale = Math.ceil(SAVED_PX / picture.naturalWidth);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = picture.naturalWidth * scale;
  const pen = canvas.getContext('2d');
  pen?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The picture could not be written');
  return blob;
}
