import type { ReactiveController } from 'lit';
import type { ViewHost } from './view-context.js';

const SHOWN_MS = 4_000;
/** In-app browsers are known to leave the promise of a write pending for ever. */
const PATIENCE_MS = 1_500;

export type CopyState = 'IDLE' | 'COPIED' | 'FAILED';

/** Copies text and admits it when it could not, leaving the text selected for the payer to copy by hand. */
export class Copier implements ReactiveController {
  readonly #host: ViewHost;
  #last: { readonly what: string; readonly state: CopyState } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ViewHost) {
    this.#host = host;
    host.addController(this);
  }

  stateOf(what: string): CopyState {
    return this.#last?.what === what ? this.#last.state : 'IDLE';
  }

  /** Copies `text`; `shown` is where the payer sees it, `said` what the live region tells. */
  async copy(
    what: string,
    text: string,
    shown: Element | null,
    said: { readonly done: string; readonly failed: string },
  ): Promise<void> {
    const written = await writeText(text);
    const { renderRoot } = this.#host;
    // Removed meanwhile: there is nobody to tell.
    if (!renderRoot.isConnected) return;
    const copied = written || writeBySelection(text, renderRoot);
    if (!copied && shown) getSelection()?.setBaseAndExtent(shown, 0, shown, shown.childNodes.length);
    this.#last = { what, state: copied ? 'COPIED' : 'FAILED' };
    this.#host.announce(copied ? said.done : said.failed);
    this.#host.requestUpdate();
    clearTimeout(this.#timer);
    // What to do by hand stays until the next try; a success only confirms.
    if (copied) this.#timer = setTimeout(() => this.#clear(), SHOWN_MS);
  }

  hostDisconnected(): void {
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#last = null;
    this.#host.requestUpdate();
  }
}

/** False on a page without HTTPS, without permission, or where the browser never answers. */
async function writeText(text: string): Promise<boolean> {
  // Absent outside secure contexts, whatever the type says.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  const written = clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  const result = await Promise.race([written, patience]);
  clearTimeout(timer);
  return result;
}

/** The older way, for pages without HTTPS. The field sits in our own tree, so that an open dialog lets it have focus. */
function writeBySelection(text: string, root: ViewHost['renderRoot']): boolean {
  const before = root instanceof ShadowRoot ? root.activeElement : null;
  const field = document.createElement('textarea');
  field.className = 'sr';
  field.readOnly = true;
  field.value = text;
  (before?.closest('dialog') ?? root).append(field);
  field.select();
  let copied = false;
  try {
    copied = document.execCommand('copy');
  } catch {
    // Refused by policy: the same as not copied.
  }
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
