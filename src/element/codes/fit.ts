import type { ReactiveController } from 'lit';
import type { Host } from '../host.js';
import { crispWidth } from './code.js';

/**
 * Gives each drawn code the largest size in its box at which a module is a whole number of device pixels: between two
 * whole numbers some modules are wider than others, and scanners stumble.
 */
export class CodeFit implements ReactiveController {
  readonly #host: Host;
  #observer: ResizeObserver | undefined;
  #observed = new WeakSet<Element>();

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdated(): void {
    for (const box of this.#boxes()) {
      if (this.#observed.has(box)) continue;
      if (!this.#observer) {
        this.#observer = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));
        // Zooming changes how many device pixels a box has, not how many of its own.
        addEventListener('resize', this.#fitAll);
      }
      this.#observed.add(box);
      this.#observer.observe(box);
      // Before it is seen for the first time.
      fit(box);
    }
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#observed = new WeakSet();
    removeEventListener('resize', this.#fitAll);
  }

  #boxes(): NodeListOf<Element> {
    return this.#host.renderRoot.querySelectorAll('.qr:has(> svg)');
  }

  readonly #fitAll = (): void => this.#boxes().forEach(fit);
}

function fit(box: Element): void {
  const code = box.querySelector('svg');
  if (!code) return;
  const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(box);
  const width = box.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
  if (width > 0) {
    code.style.inlineSize = `${crispWidth(code.viewBox.baseVal.width, width, devicePixelRatio)}px`;
  }
}
