import type { ReactiveController } from 'lit';
import type { Host } from '../../host.js';

const SHOWN_MS = 4_000;
/** Longer than between the taps of a double tap. */
const FRESH_MS = 600;
/** In-app browsers are known to leave the promise of a write pending for ever. */
const PATIENCE_MS = 1_500;

/** Copies text and admits it when it could not, leaving the text selected for the payer to copy by hand. */
export class Copier implements ReactiveController {
  readonly #host: Host;
  /** The text that was copied last, while that is shown; or the one that could not be. */
  copied: string | undefined;
  failed: string | undefined;
  /** Every text that was copied, for as long as the payer is here: what was copied is not the next step any more. */
  readonly done = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #copiedAtMs = -FRESH_MS;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** Whether something was copied only just now. */
  get isFresh(): boolean {
    return performance.now() - this.#copiedAtMs < FRESH_MS;
  }

  /**
   * Copies `text`; `shown` is where the payer sees it. The live region tells what became of it. A press that `leaves` the
   * page copies the older way first, which is done before the page is out of sight.
   */
  async copy(text: string, shown: Element, done: string, failed: string, leaves = false): Promise<void> {
    const { renderRoot } = this.#host;
    const written = (leaves && writeBySelection(text, renderRoot)) || (await this.#write(text));
    // The element was removed meanwhile: there is no screen to say it on.
    if (!renderRoot.isConnected) return;
    if (written || writeBySelection(text, renderRoot)) {
      this.#host.announce(done);
      this.done.add(text);
      this.#copiedAtMs = performance.now();
      this.#show(text);
      this.#timer = setTimeout(() => this.#show(), SHOWN_MS);
    } else {
      getSelection()?.setBaseAndExtent(shown, 0, shown, shown.childNodes.length);
      this.#host.announce(failed);
      // What to do by hand stays until the next try; a success only confirms.
      this.#show(undefined, text);
    }
  }

  hostDisconnected(): void {
    this.#show();
  }

  /** False on a page without HTTPS, without permission, or where the browser never answers. */
  #write(text: string): Promise<boolean> {
    // Absent outside secure contexts, whatever the type says.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    return new Promise((resolve) => {
      const giveUp = () => resolve(false);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(giveUp, PATIENCE_MS);
      if (clipboard) clipboard.writeText(text).then(() => resolve(true), giveUp);
      else giveUp();
    });
  }

  #show(copied?: string, failed?: string): void {
    clearTimeout(this.#timer);
    this.copied = copied;
    this.failed = failed;
    this.#host.requestUpdate();
  }
}

/** The older way, for pages without HTTPS. The field sits in our own tree, so that an open dialog lets it have focus. */
function writeBySelection(text: string, root: ShadowRoot): boolean {
  const before = root.activeElement as HTMLElement | null;
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
  before?.focus();
  return copied;
}
