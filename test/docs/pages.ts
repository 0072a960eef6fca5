import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

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
    .map((file) => join('docs', file));
  return ['README.md', ...docs].sort().map((path) => ({ path, text: readFileSync(path, 'utf8') }));
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

function givenAbove(lines: readonly string[], fence: number): string {
  let end = fence - 1;
  while (lines[end]?.trim() === '') end -= 1;
  if (!(lines[end] ?? '').trimEnd().endsWith('-->')) return '';
  let start = end;
  while (start > 0 && !(lines[start] ?? '').includes('<!--')) start -= 1;
  const comment = lines.slice(start, end + 1).join('\n');
  return /<!-- given:([\s\S]*)-->/.exec(comment)?.[1]?.trim() ?? '';
}

/** Every link between files, as sentences about those that lead nowhere. */
export function brokenLinks(pages: readonly Page[]): string[] {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
  return pages.flatMap(({ path, text }) => {
    const prose = text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
    const targets = [
      ...[...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? ''),
      ...[...prose.matchAll(/<img[^>]*\ssrc="([^"]+)"/g)].map(([, target]) => target ?? ''),
    ];
    return targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .flatMap((target) => {
        const [file = '', anchor] = target.split('#');
        const to = file === '' ? path : normalize(join(dirname(path), file));
        if (!existsSync(to) && !anchors.has(to)) return [`${path} links to ${target}, which is not there`];
        const known = anchors.get(to);
        if (anchor !== undefined && known && !known.has(anchor))
          return [`${path} links to ${target}: no such heading`];
        return [];
      });
  });
}

/** Headings as GitHub names them in addresses. */
function anchorsOf({ text }: Page): Set<string> {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '');
  return new Set(
    [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
