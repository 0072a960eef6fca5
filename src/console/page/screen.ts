import { html, LitElement, nothing, type PropertyValues } from 'lit';
import type { Content, PageShell } from '../../look/parts/parts.js';
import { type Api, type Problem, problemOf } from './api.js';
import type { Route } from './route.js';
import type { Words } from './words/words.js';

/** What every screen gets from the page around it. */
export interface Shell extends PageShell {
  readonly api: Api;
  readonly words: Words;
  /** The merchant's name. */
  readonly merchant: string;
  readonly siteUrl: string;
  readonly sandboxUrl: string;
  /** Goes to a hash address; `quiet` changes the address without leaving where the reader is. */
  readonly go: (hash: string, how?: 'quiet') => void;
}

/**
 * A screen that shows what the backend says now: it asks when it appears, when its route changes and at every hint,
 * one question at a time, and shows the last answer while the next is on its way. Rendered without a shadow, so that
 * the page's one style sheet reaches it.
 */
export abstract class Screen<Data> extends LitElement {
  static override properties = {
    shell: { attribute: false },
    route: { attribute: false },
    pulse: { type: Number },
    data: { state: true },
    problem: { state: true },
    refused: { state: true },
  };
  declare shell: Shell;
  declare route: Route;
  /** Counts up with every hint that something changed. */
  declare pulse: number;
  declare protected data: Data | undefined;
  declare protected problem: Problem | undefined;
  /** Why the backend refused the last change. */
  declare protected refused: Problem | undefined;

  #asking: AbortController | undefined;
  #askAgain = false;
  #isSending = false;

  protected abstract load(signal: AbortSignal): Promise<Data>;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#asking?.abort();
    this.#asking = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('route')) this.#asking?.abort();
    if (changed.has('route') || changed.has('pulse')) void this.refresh();
  }

  protected async refresh(): Promise<void> {
    if (this.#asking && !this.#asking.signal.aborted) {
      this.#askAgain = true;
      return;
    }
    const asking = (this.#asking = new AbortController());
    this.#askAgain = false;
    try {
      const data = await this.load(asking.signal);
      if (asking.signal.aborted) return;
      this.data = data;
      this.problem = undefined;
    } catch (error) {
      if (asking.signal.aborted) return;
      this.problem = problemOf(error);
    }
    this.#asking = undefined;
    if (this.#askAgain && this.isConnected) void this.refresh();
  }

  /** Changes something at the backend and asks again; false when it refused. A second press waits for the first. */
  protected async send(method: 'POST' | 'DELETE', path: string, body?: object): Promise<boolean> {
    if (this.#isSending) return false;
    this.#isSending = true;
    this.refused = undefined;
    try {
      await this.shell.api.send(method, path, body);
      return true;
    } catch (error) {
      this.refused = problemOf(error);
      return false;
    } finally {
      this.#isSending = false;
      void this.refresh();
    }
  }

  /** The last answer, with what failed since; before the first answer, that it is loading or why it failed. */
  protected answered(show: (data: Data) => Content): Content {
    const { words } = this.shell;
    const { data, problem, refused } = this;
    if (data !== undefined) {
      return html`${problem === undefined ? nothing : html`<p class="trouble" role="status">${words.problems[problem]}</p>`}
      ${refused === undefined ? nothing : html`<p class="trouble" role="alert">${words.problems[refused]}</p>`}
      ${show(data)}`;
    }
    if (problem === undefined) return html`<p class="pending" role="status">${words.loading}</p>`;
    return unread(this.shell, problem, () => void this.refresh());
  }
}

/** Why there is nothing to show, and a button that asks again. */
export function unread({ words }: Shell, problem: Problem, again: () => void): Content {
  return html`<div class="empty" role="alert">
    <p>${words.problems[problem]}</p>
    <button class="button plain" type="button" @click=${again}>${words.retry}</button>
  </div>`;
}
