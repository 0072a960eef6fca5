/** Writes docs/messages.md, every message in both languages side by side: `tsx scripts/docs/messages-table.ts`. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { en } from '../../src/locales/en.js';
import { es } from '../../src/locales/es.js';

export const MESSAGES_FILE = new URL('../../docs/messages.md', import.meta.url);

const HEAD = `# Every message

What a payer can read or hear, in both languages, for those who review the words. A page may replace any of them with the \`messages\` property, by the name in the first column ([theming](theming.md) has the rest of the looks). What changes stands in braces. The sentences in _usted_ are PSE's own, which a merchant must show as they are.

Made from \`src/locales\` by \`tsx scripts/docs/messages-table.ts\`.
`;

/** The page as it should be. */
export function messagesText(): string {
  const english = new Map(rows(en));
  const lines = rows(es).map(
    ([name, text]) => `| \`${name}\` | ${cell(text)} | ${cell(english.get(name) ?? '')} |`,
  );
  const table = ['| Name | Español | English |', '| --- | --- | --- |', ...lines].join('\n');
  return `${HEAD}\n${table}\n`;
}

/** Names and texts, those of groups as \`group.name\`. */
function rows(words: object, prefix = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, word]: [string, unknown]): [string, string][] => {
    if (typeof word === 'string') return [[prefix + name, word]];
    if (typeof word === 'function') return [[prefix + name, sample(word as (...given: unknown[]) => string)]];
    return rows(word as object, `${prefix}${name}.`);
  });
}

/** The text of a message with the names of its changing parts in their places. */
function sample(message: (...given: unknown[]) => string): string {
  const [, list = ''] = /^\(?(.*?)\)?\s*=>/s.exec(message.toString()) ?? [];
  const names = list
    .replace(/[{}\s]/g, '')
    .split(',')
    .filter(Boolean);
  if (list.includes('{')) return message(Object.fromEntries(names.map((name) => [name, `{${name}}`])));
  // A list of names is joined by the message itself.
  return message(...names.map((name) => (name === 'fields' ? ['{field}', '{field}'] : `{${name}}`)));
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\u00a0', ' ');

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(MESSAGES_FILE, messagesText());
