/** Where the reader is, kept after the #: every view can be linked to, reloaded and gone back to. */

const SECTIONS = [
  'overview',
  'review',
  'attempts',
  'reconcile',
  'payins',
  'payouts',
  'links',
  'orders',
] as const;
export type Section = (typeof SECTIONS)[number];

export interface Route {
  readonly section: Section;
  /** The id of one thing, `new` for a form, or empty for the list. */
  readonly id: string;
  readonly query: URLSearchParams;
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name = '', id = ''] = path.split('/');
  const section = SECTIONS.find((candidate) => candidate === name);
  return section
    ? { section, id: safelyDecoded(id), query: new URLSearchParams(query) }
    : { section: 'overview', id: '', query: new URLSearchParams() };
}

export function toRoute(section: Section, id = '', query: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
  return `#/${section}${id === '' ? '' : `/${encodeURIComponent(id)}`}${search}`;
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
