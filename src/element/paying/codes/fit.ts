import type { Host } from '../../host.js';
import { crispWidth } from './code.js';

/**
 * Gives each drawn code the largest size in its box at which a module is a whole number of device pixels: between two
 * whole numbers some modules are wider than others, and scanners stumble.
 */
export class CodeFit {
  readonly #host: Host;
  #observer: ResizeObserver | undefined;
  #observed = new WeakSet<Element>();

  constructor(host: Host) {
    this.#host = host;
  }

  hostUpdated(): void {
    for (const code of this.#codes()) {
      if (this.#observed.has(code)) continue;
      if (!this.#observer) {
        this.#observer = new ResizeObserver(() => this.#fitAll());
        // Zooming changes how many device pixels a box has, not how many of its own.
        addEventListener('resize', this.#fitAll);
      }
      this.#observed.add(code);
      // Calls back in the frame that paints the code first, once its box is laid out.
      this.#observer.observe(code.parentElement ?? code);
    }
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#observed = new WeakSet();
    removeEventListener('resize', this.#fitAll);
  }

  #codes(): NodeListOf<SVGSVGElement> {
    return this.#host.renderRoot.querySelectorAll('.qr > svg');
  }

  readonly #fitAll = (): void => this.#codes().forEach(fit);
}

/** By padding, which moves nothing else: the code's own box stays as it was laid out. */
function fit(code: SVGSVGElement): void {
  const { width } = code.getBoundingClientRect();
  const around = width - crispWidth(code.viewBox.baseVal.width, width, devicePixelRatio);
  const before = Math.floor((around / 2) * devicePixelRatio) / devicePixelRatio;
  code.style.padding = `${before}px ${around - before}px ${around - before}px ${before}px`;
}
