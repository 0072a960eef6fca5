import { CONSOLE_SECTIONS, type ConsoleSection } from '../../contract/merchant/console.js';

/** Where the reader is, kept after the #: every view can be linked to, reloaded and gone back to. */

export interface Route {
  readonly section: ConsoleSection;
  /** The id of one thing, `new` for a form, or empty for the list. */
  readonly id: string;
  readonly query: URLSearchParams;
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name = '', id = ''] = path.split('/');
  const section = CONSOLE_SECTIONS.find((candidate) => candidate === name);
  return section
    ? { section, id: safelyDecoded(id), query: new URLSearchParams(query) }
    : { section: 'overview', id: '', query: new URLSearchParams() };
}

export function toRoute(
  section: ConsoleSection,
  id = '',
  query: Readonly<Record<string, string>> = {},
): string {
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
