import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Content } from '../../look/parts/parts.js';
import { type Route, toRoute } from './route.js';
import type { Shell } from './screen.js';

/** One thing to filter a list by: a choice where it has options, else a field. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly type?: 'date' | 'search';
  readonly options?: readonly (readonly [value: string, label: string])[];
}

/** Filters are open on screens this wide. */
const WIDE = '(min-width: 48rem)';

/** Puts the filters of a list into the address: a choice at once, a text with the button. `keep` stays in it. */
export function filterForm(
  shell: Shell,
  { section, query }: Route,
  filters: readonly Filter[],
  keep: readonly string[] = [],
): Content {
  const { words } = shell;
  const value = (name: string) => query.get(name) ?? '';
  const apply = (event: Event) => {
    event.preventDefault();
    const data = new FormData((event.currentTarget as HTMLElement).closest('form') ?? undefined);
    const typed = filters.map(({ name }) => [name, String(data.get(name) ?? '').trim()] as const);
    const kept = keep.map((name) => [name, value(name)] as const);
    shell.go(toRoute(section, '', Object.fromEntries([...typed, ...kept])), 'quiet');
  };
  const control = ({ name, type = 'search', options }: Filter) =>
    options === undefined
      ? html`<input
          id=${`filter-${name}`}
          name=${name}
          type=${type}
          maxlength="128"
          autocomplete="off"
          spellcheck="false"
          .value=${live(value(name))}
        />`
      : html`<select id=${`filter-${name}`} name=${name} @change=${apply}>
          ${[['', words.all] as const, ...options].map(
            ([each, text]) => html`<option value=${each} ?selected=${value(name) === each}>${text}</option>`,
          )}
        </select>`;
  const isFiltered = filters.some(({ name }) => value(name) !== '');
  return html`<details class="fold" ?open=${matchMedia(WIDE).matches || isFiltered}>
    <summary>${words.attempts.filters}</summary>
    <form class="filters" role="search" aria-label=${words.attempts.filters} @submit=${apply}>
      ${filters.map(
        (filter) =>
          html`<div class="field">
            <label for=${`filter-${filter.name}`}>${filter.label}</label>
            ${control(filter)}
          </div>`,
      )}
      <p class="bar">
        <button class="button" type="submit">${words.payins.apply}</button>
        ${
          isFiltered || keep.some((name) => value(name) !== '')
            ? html`<a class="button plain" href=${toRoute(section)}>${words.payins.clear}</a>`
            : nothing
        }
      </p>
    </form>
  </details>`;
}
