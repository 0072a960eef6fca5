import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** The documentation as data: pages, their snippets and their links. */

export interface Page {
  readonly path: string;
  readonly text: string;
}

export interface Snippet {
  readonly page: string;
  /** Line of its first line in the page, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** What the page takes for granted, from a comment `<!-- given: … -->` right above the snippet. */
  readonly given: string;
}

export function readPages(): Page[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => posix.join('docs', file.replaceAll('\\', '/')));
  const readmes = readdirSync('.').filter((file) => /^README(?:\.\w+)?\.md$/.test(file));
  return [...readmes, ...docs].sort().map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

export function snippetsOf({ path, text }: Page): Snippet[] {
  const snippets: Snippet[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const fence = /^( *)```(\S*)/.exec(lines[index] ?? '');
    if (!fence) continue;
    const [, indent = '', language = ''] = fence;
    const start = index + 1;
    const code: string[] = [];
    for (index += 1; index < lines.length && lines[index]?.trim() !== '```'; index++) {
      code.push((lines[index] ?? '').slice(indent.length));
    }
    snippets.push({
      page: path,
      line: start + 1,
      language,
      code: code.join('\n'),
      given: givenAbove(lines, start - 1),
    });
  }
  return snippets;
}

/** The code of a page's snippet that has these words. */
export function snippet(page: string, language: string, contains: string): string {
  const found = readPages()
    .filter(({ path }) => path === page)
    .flatMap(snippetsOf)
    .find((each) => each.language === language && each.code.includes(contains));
  if (!found) throw new Error(`${page} has no ${language} with ${contains}`);
  return found.code;
}

function givenAbove(lines: readonly string[], fence: number): string {
  let end = fence - 1;
  while (lines[end]?.trim() === '') end -= 1;
  if (!(lines[end] ?? '').trimEnd().endsWith('-->')) return '';
  let start = end;
  while (start > 0 && !(lines[start] ?? '').includes('<!--')) start -= 1;
  const comment = lines.slice(start, end + 1).join('\n');
  return /<!-- given:([\s\S]*)-->/.exec(comment)?.[1]?.trim() ?? '';
}

export interface Heading {
  readonly level: number;
  /** Its name in addresses, as GitHub makes it. */
  readonly anchor: string;
}

export function headingsOf({ text }: Page): Heading[] {
  return [...withoutCode(text).matchAll(/^(#{1,6}) (.+)$/gm)].map(([, marks = '', heading = '']) => ({
    level: marks.length,
    anchor: heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  }));
}

export interface Link {
  /** As it is written. */
  readonly target: string;
  /** The file from the root of the project, or the whole address where it leads out of it. */
  readonly to: string;
  readonly anchor?: string;
}

/** Links and pictures in the order of the page. */
export function linksOf({ path, text }: Page): Link[] {
  const prose = withoutCode(text).replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|<img[^>]*\ssrc="([^"]+)"/g)].map(([, link, picture]) => {
    const target = link ?? picture ?? '';
    if (/^[a-z]+:/.test(target)) return { target, to: target };
    const [file = '', anchor] = target.split('#');
    const to = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file));
    return { target, to, ...(anchor !== undefined && { anchor }) };
  });
}

/** Every link between files, as sentences about those that lead nowhere. */
export function brokenLinks(pages: readonly Page[]): string[] {
  const anchors = new Map(
    pages.map((page) => [page.path, new Set(headingsOf(page).map(({ anchor }) => anchor))]),
  );
  return pages.flatMap((page) =>
    linksOf(page)
      .filter(({ to }) => !/^[a-z]+:/.test(to))
      .flatMap(({ target, to, anchor }) => {
        if (!existsSync(to) && !anchors.has(to))
          return [`${page.path} links to ${target}, which is not there`];
        const known = anchors.get(to);
        if (anchor !== undefined && known && !known.has(anchor))
          return [`${page.path} links to ${target}: no such heading`];
        return [];
      }),
  );
}

const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '');
