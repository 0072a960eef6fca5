import { type Bank, searchBanks } from '../contract/banks.js';
import type { ViewHost } from './view-context.js';

/** What the combobox needs of the form it is in. */
export interface BankPicking {
  readonly banks: readonly Bank[];
  readonly chosen: string | null;
  readonly choose: (code: string | null) => void;
  /** The payer leaves; `typed` when something was written. */
  readonly left: (typed: boolean) => void;
  readonly found: (count: number) => string;
}

/**
 * The state behind the bank picker: what is written, which banks match, which one is pointed at. It follows the
 * combobox pattern of ARIA 1.2: focus stays in the field, and the list is moved through by reference.
 */
export class BankCombobox {
  readonly #host: ViewHost;
  /** What is written; null shows the chosen bank's name. */
  #query: string | null = null;
  open = false;
  /** Index in `matches`, -1 when none is pointed at. */
  active = -1;
  #cache: { readonly banks: readonly Bank[]; readonly query: string; readonly matches: Bank[] } | null = null;

  constructor(host: ViewHost) {
    this.#host = host;
  }

  text({ banks, chosen }: BankPicking): string {
    return this.#query ?? banks.find(({ code }) => code === chosen)?.name ?? '';
  }

  matches({ banks }: BankPicking): readonly Bank[] {
    const query = this.#query ?? '';
    if (this.#cache?.banks !== banks || this.#cache.query !== query) {
      this.#cache = { banks, query, matches: searchBanks(banks, query) };
    }
    return this.#cache.matches;
  }

  write(query: string, picking: BankPicking): void {
    this.#query = query;
    picking.choose(null);
    const count = this.matches(picking).length;
    this.open = true;
    this.active = query.trim() !== '' && count > 0 ? 0 : -1;
    this.#host.announce(picking.found(count));
    this.#changed();
  }

  toggle(picking: BankPicking): void {
    if (this.open) this.close();
    else this.#show(picking);
  }

  close(): void {
    this.open = false;
    this.active = -1;
    this.#changed();
  }

  pick(bank: Bank | undefined, picking: BankPicking): void {
    if (!bank) return;
    this.#query = null;
    picking.choose(bank.code);
    this.close();
  }

  /** Whoever wrote enough to mean one bank means that bank. */
  leave(picking: BankPicking): void {
    const typed = this.#query !== null && this.#query.trim() !== '';
    const matches = this.matches(picking);
    if (typed && matches.length === 1) this.pick(matches[0], picking);
    else this.close();
    picking.left(typed);
  }

  key(event: KeyboardEvent, picking: BankPicking): void {
    const matches = this.matches(picking);
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        if (!this.open) return this.#show(picking);
        if (matches.length === 0) return;
        const step = event.key === 'ArrowDown' ? 1 : -1;
        const from = this.active < 0 && step < 0 ? 0 : this.active;
        return this.#point((from + step + matches.length) % matches.length);
      }
      case 'PageDown':
      case 'PageUp':
        if (!this.open) return;
        event.preventDefault();
        return this.#point(
          Math.min(Math.max(this.active + (event.key === 'PageDown' ? 6 : -6), 0), matches.length - 1),
        );
      case 'Enter':
        if (!this.open) return;
        // Enter takes the bank; it does not send the form from under an open list.
        event.preventDefault();
        return this.pick(matches[this.active], picking);
      case 'Escape':
        if (!this.open) return;
        // Only the list closes, not a dialog around it.
        event.preventDefault();
        event.stopPropagation();
        return this.close();
      default:
    }
  }

  #show(picking: BankPicking): void {
    // The whole list, starting at the chosen bank: the payer wants to see what else there is.
    if (this.#query === null)
      this.active = this.matches(picking).findIndex(({ code }) => code === picking.chosen);
    this.open = true;
    this.#changed();
  }

  #point(index: number): void {
    this.active = index;
    this.#changed();
  }

  #changed(): void {
    this.#host.requestUpdate();
    void this.#host.updateComplete.then(() => {
      const option = this.#host.renderRoot.querySelector('[role="option"].on');
      option?.scrollIntoView({ block: 'nearest' });
    });
  }
}
