import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type Content, icon, type PageShell } from './parts.js';

/** How long the button says that it copied. */
const SAID_MS = 2_500;

/**
 * A text with a button that copies it: an id, a reference, a key, an address. It says aloud what happened. Where the
 * browser refuses, the text is selected, so that the reader's own keyboard can copy it, and the page says so.
 */
export class PageCopy extends LitElement {
  static override properties = {
    shell: { attribute: false },
    text: { attribute: false },
    name: { attribute: false },
    shown: { attribute: false },
    outcome: { state: true },
  };
  declare shell: PageShell;
  declare text: string;
  /** What the text is, for a screen reader. */
  declare name: string;
  /** What stands there instead of the text itself, such as a link with it. */
  declare shown: Content | undefined;
  declare protected outcome: 'copied' | 'refused' | undefined;
  #forget: ReturnType<typeof setTimeout> | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#forget);
    this.outcome = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('text')) this.outcome = undefined;
  }

  readonly #copy = async (): Promise<void> => {
    const { announce, words } = this.shell;
    const isCopied = (await toClipboard(this.text)) || this.#copySelected();
    this.outcome = isCopied ? 'copied' : 'refused';
    announce(isCopied ? words.copied : words.notCopied);
    clearTimeout(this.#forget);
    if (isCopied) this.#forget = setTimeout(() => (this.outcome = undefined), SAID_MS);
  };

  /** The older way, for pages without a clipboard. What could not be copied stays selected. */
  #copySelected(): boolean {
    const place = this.querySelector('.text');
    const selection = getSelection();
    if (place === null || selection === null) return false;
    selection.selectAllChildren(place);
    const isCopied = place.textContent?.trim() === this.text && document.execCommand('copy');
    if (isCopied) selection.removeAllRanges();
    return isCopied;
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    const isCopied = this.outcome === 'copied';
    return html`<span class="text">${this.shown ?? this.text}</span
      ><button class="icon ${isCopied ? 'done' : ''}" type="button" @click=${this.#copy}>
        ${icon(isCopied ? 'check' : 'copy')}
        <span class="sr">${words.copy}: ${this.name}</span>
      </button>
      ${this.outcome === 'refused' ? html`<span class="hint">${words.notCopied}</span>` : nothing}`;
  }
}

async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not a secure page, or not allowed.
    return false;
  }
}
