import type { ControlSection } from '../api/control-view.js';

/** What the control page shows is in its address, so that it can be reloaded, linked to and gone back from. */

export const SECTIONS = [
  'payins',
  'payouts',
  'links',
  'events',
  'requests',
  'mishaps',
  'connection',
] as const satisfies readonly ControlSection[];

const NAMES = ['section', 'q', 'status', 'open', 'page', 'lang'] as const;
export type Address = Readonly<Record<Exclude<(typeof NAMES)[number], 'section'>, string>> & {
  readonly section: ControlSection;
};

/** Everything of a section, from its first page on. */
export const UNFILTERED = { q: '', status: '', page: '' } as const;

export function readAddress(search: string): Address {
  const query = new URLSearchParams(search);
  const text = (name: (typeof NAMES)[number]) => (query.get(name) ?? '').slice(0, 128);
  return {
    section: SECTIONS.find((name) => name === text('section')) ?? 'payins',
    q: text('q'),
    status: text('status'),
    open: text('open'),
    page: text('page'),
    lang: text('lang'),
  };
}

/** The address of this view with something else in it. */
export function hrefOf(address: Address, change: Partial<Address> = {}): string {
  const next = { ...address, ...change };
  const given = NAMES.map((name) => [name, next[name]] as [string, string]).filter(
    ([, value]) => value !== '',
  );
  return `?${new URLSearchParams(given).toString()}`;
}
