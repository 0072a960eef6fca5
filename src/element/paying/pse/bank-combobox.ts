import { type Bank, searchBanks } from '../../../contract/payer/banks.js';
import type { Host } from '../../host.js';

/** What the combobox needs of the form it is in. */
interface BankForm {
  readonly banks: readonly Bank[];
  /** The one that was chosen. */
  readonly bank: Bank | undefined;
  type(field: 'bank', code: string): void;
  leave(field: 'bank', shown: string): void;
}

/** How far the keys for pages go: about what the list shows at once. */
const PAGE = 6;
/** As high as the list gets, with its distance from the field. */
const LIST_PX = 290;

/**
 * The state behind the bank picker: what is written, which banks match, which one is pointed at. It follows the
 * combobox pattern of ARIA 1.2: focus stays in the field, and the list is moved through by reference.
 */
export class BankCombobox {
  readonly #host: Host;
  readonly #form: BankForm;
  /** What is written; null shows the chosen bank's name. */
  #query: string | null = null;
  open = false;
  #sideIsChosen = false;
  /** The list is above the field, where there is more room. */
  above = false;
  /** Index in `matches`; there is none at it when none is pointed at. */
  active = -1;

  constructor(host: Host, form: BankForm) {
    this.#host = host;
    this.#form = form;
  }

  get text(): string {
    return this.#query ?? this.#form.bank?.name ?? '';
  }

  get matches(): readonly Bank[] {
    return searchBanks(this.#form.banks, this.#query ?? '');
  }

  /** Gives the number of banks that match. */
  write(query: string): number {
    this.#query = query;
    this.#form.type('bank', '');
    this.open = true;
    this.#point(query.trim() ? 0 : -1);
    return this.matches.length;
  }

  toggle(): void {
    if (this.open) return this.close();
    this.open = true;
    // The payer wants to see what else there is: the whole list, starting at the chosen bank.
    this.#point(this.matches.findIndex((bank) => bank === this.#form.bank));
  }

  close(): void {
    this.open = false;
    this.#point(-1);
  }

  pick(bank: Bank | undefined): void {
    if (!bank) return;
    this.#query = null;
    this.#form.type('bank', bank.code);
    this.close();
  }

  /** Text that fits only one bank chooses that bank. */
  leave(): void {
    const [first, ...others] = this.matches;
    if (this.#query?.trim() && others.length === 0) this.pick(first);
    this.close();
    this.#form.leave('bank', this.text);
  }

  key(event: KeyboardEvent): void {
    const { active, matches } = this;
    const last = matches.length - 1;
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => this.#point(active < last ? active + 1 : 0),
      ArrowUp: () => this.#point(active > 0 ? active - 1 : last),
      PageDown: () => this.#point(Math.min(active + PAGE, last)),
      PageUp: () => this.#point(Math.max(active - PAGE, 0)),
      Enter: () => this.pick(matches[active]),
      Escape: () => this.close(),
    };
    const opens = !this.open && event.key.startsWith('Arrow');
    const act = opens ? () => this.toggle() : this.open && acts[event.key];
    if (!act) return;
    // Enter takes the bank and does not send the form; Escape closes the list and not a dialog around it.
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  #point(index: number): void {
    this.active = index;
    this.#host.requestUpdate();
    void this.#host.updateComplete.then(() => {
      this.#chooseSide();
      this.#host.renderRoot.querySelector('.on')?.scrollIntoView({ block: 'nearest' });
    });
  }

  /** Chosen once it is open, so that the list does not jump while the payer types. */
  #chooseSide(): void {
    const field = this.#host.renderRoot.querySelector('#bank');
    if (!field || !this.open || this.#sideIsChosen) {
      this.#sideIsChosen &&= this.open;
      return;
    }
    this.#sideIsChosen = true;
    const { top, bottom } = field.getBoundingClientRect();
    const below = innerHeight - bottom;
    const above = below < LIST_PX && top > below;
    if (above === this.above) return;
    this.above = above;
    this.#host.requestUpdate();
  }
}
