import { find, stamp } from '../page-kit.js';

/** One line of a log: what happened, and all of it on demand. */
export interface Entry {
  readonly id: string;
  readonly at: number;
  readonly name: string;
  readonly what: string;
  readonly tone: '' | 'good' | 'bad' | 'wait';
  readonly detail: unknown;
}

const MOST = 200;

/**
 * A list on the page that survives the trip to the bank and back: it is kept for the tab, by order. Adding an entry
 * again, by its id, changes it.
 */
export class Log {
  readonly #list: HTMLElement;
  readonly #count: HTMLElement;
  readonly #name: string;
  #order = '';
  #entries: Entry[] = [];

  constructor(name: 'events' | 'requests') {
    this.#name = name;
    this.#list = find(`#${name}`);
    this.#count = find(`#${name}-count`);
  }

  open(order: string): void {
    this.#order = order;
    this.#entries = this.#kept();
    this.#list.replaceChildren(...this.#entries.map(rowOf).reverse());
    this.#tally();
  }

  tell(entry: Entry): void {
    const place = this.#entries.findIndex(({ id }) => id === entry.id);
    const row = rowOf(entry);
    if (place < 0) {
      this.#entries.push(entry);
      this.#list.prepend(row);
      if (this.#entries.length > MOST) {
        this.#entries.shift();
        this.#list.lastElementChild?.remove();
      }
    } else {
      this.#entries[place] = entry;
      const old = this.#list.children[this.#entries.length - 1 - place];
      find<HTMLDetailsElement>('details', row).open = old?.querySelector('details')?.open ?? false;
      old?.replaceWith(row);
    }
    this.#tally();
    this.#keep();
  }

  #tally(): void {
    this.#count.textContent = String(this.#entries.length);
  }

  get #place(): string {
    return `playground-${this.#name}`;
  }

  #kept(): Entry[] {
    try {
      const { order, entries } = JSON.parse(sessionStorage.getItem(this.#place) ?? '{}') as {
        order?: string;
        entries?: Entry[];
      };
      return order === this.#order ? (entries ?? []) : [];
    } catch {
      return [];
    }
  }

  #keep(): void {
    try {
      sessionStorage.setItem(this.#place, JSON.stringify({ order: this.#order, entries: this.#entries }));
    } catch {
      // No storage, or no room: the list lives as long as the page.
    }
  }
}

function rowOf({ at, name, what, tone, detail }: Entry): HTMLElement {
  const row = stamp('#entry');
  if (tone !== '') row.classList.add(tone);
  find('time', row).textContent = new Date(at).toLocaleTimeString('es-CO', { hourCycle: 'h23' });
  find('b', row).textContent = name;
  find('.what', row).textContent = what;
  find('pre', row).textContent = JSON.stringify(detail, shorten, 2);
  find('pre', row).setAttribute('aria-label', name);
  return row;
}

/** A picture inside an answer would bury everything else. */
function shorten(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > 300 ? `${value.slice(0, 60)}… (${value.length})` : value;
}
