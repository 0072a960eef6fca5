import { headingsOf, type Link, linksOf, type Page, snippetsOf } from './pages.js';

/** Pages in two languages: which belongs to which, and where a translation lags behind. */

/** The English page of a Spanish one; undefined for a page that is no translation. */
export function originalOf(path: string): string | undefined {
  if (path === 'README.es.md') return 'README.md';
  return path.startsWith('docs/es/') ? path.replace('docs/es/', 'docs/') : undefined;
}

/** What differs between each translation and its original, as sentences; none when they are equal. */
export function differences(pages: readonly Page[]): string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const translations = new Map(
    pages.flatMap((page) => {
      const original = originalOf(page.path);
      return original === undefined ? [] : [[original, page] as const];
    }),
  );
  return [...translations].flatMap(([path, translation]) => {
    const original = byPath.get(path);
    if (original === undefined) return [`${translation.path} translates ${path}, which is not there`];
    return [
      ...differenceIn('heading', translation, headingLevels(original), headingLevels(translation)),
      ...differenceIn('code block', translation, codeOf(original), codeOf(translation)),
      ...differenceIn(
        'link',
        translation,
        textLinks(original, translation).map((link) => translatedLink(link, byPath, translations)),
        textLinks(translation, original).map(written),
      ),
      ...missingLink(translation, original),
      ...missingLink(original, translation),
    ];
  });
}

const headingLevels = (page: Page) => headingsOf(page).map(({ level }) => '#'.repeat(level));
/** Each page's own language is the one thing that differs in code. */
const codeOf = (page: Page) =>
  snippetsOf(page).map(
    ({ language, code }) => `${language}\n${code.replace('<html lang="en">', '<html lang="es">')}`,
  );
const written = ({ to, anchor }: Link) => (anchor === undefined ? to : `${to}#${anchor}`);

const missingLink = (page: Page, other: Page) =>
  linksOf(page).some(({ to }) => to === other.path) ? [] : [`${page.path} has no link to ${other.path}`];

/** Without the link that leads to the same page in the other language. */
const textLinks = (page: Page, other: Page) => linksOf(page).filter(({ to }) => to !== other.path);

/** Where a translation must link to for this link of the original: the translated page, at the heading in the same place. */
function translatedLink(
  link: Link,
  pages: ReadonlyMap<string, Page>,
  translations: ReadonlyMap<string, Page>,
): string {
  const original = pages.get(link.to);
  const translation = translations.get(link.to);
  if (original === undefined || translation === undefined) return written(link);
  const place = headingsOf(original).findIndex(({ anchor }) => anchor === link.anchor);
  const anchor = headingsOf(translation)[place]?.anchor;
  return anchor === undefined ? translation.path : `${translation.path}#${anchor}`;
}

/** The first place where two lists differ, as a sentence. */
function differenceIn(
  what: string,
  { path }: Page,
  wanted: readonly string[],
  found: readonly string[],
): string[] {
  const length = Math.max(wanted.length, found.length);
  const place = Array.from({ length }, (_, index) => index).find((index) => wanted[index] !== found[index]);
  if (place === undefined) return [];
  const show = (text: string | undefined) => (text === undefined ? 'nothing' : JSON.stringify(text));
  return [`${path}: ${what} ${place + 1} is ${show(found[place])} and should be ${show(wanted[place])}`];
}
