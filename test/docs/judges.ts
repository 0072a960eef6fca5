import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { elementOf, fieldsOf, makeManifest, methodsOf } from '../../scripts/build/manifest.js';
import { main } from '../../src/cli/main.js';
import type { Snippet } from './pages.js';

/** What is wrong with a snippet that no compiler reads, as sentences; none when it is right. */
export async function judge(snippet: Snippet): Promise<string[]> {
  const { language, code } = snippet;
  switch (language) {
    case 'html':
    case 'vue':
    case 'svelte':
      return judgeMarkup(code);
    case 'tsx':
      return [];
    case 'css':
      return judgeStyle(code);
    case 'json':
      return judgeJson(code);
    case 'sh':
      return judgeShell(code);
    case 'mermaid':
      return /^(?:sequenceDiagram|flowchart [A-Z]+)\n/.test(code) ? [] : ['no diagram of a known kind'];
    case 'python':
      return judgeByProgram('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], code);
    case 'php':
      return judgeByProgram('php', ['-l'], code);
    case 'ruby':
    case 'go':
    case 'csharp':
    case 'java':
      return judgeBrackets(code);
    case 'ts':
    case 'js':
    case 'text':
      return [];
    default:
      return [`no snippet may be "${language}": nobody checks it`];
  }
}

/** Read by the language's own parser where it is installed. */
function judgeByProgram(program: string, args: readonly string[], code: string): string[] {
  const { error, status, stderr } = spawnSync(program, args, { input: code, encoding: 'utf8' });
  return error !== undefined || status === 0 ? [] : [stderr];
}

/** All that can be said of a language whose parser is on few machines. */
function judgeBrackets(code: string): string[] {
  const bare = code.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '');
  return ['()', '[]', '{}'].flatMap(([open = '', close = '']) =>
    bare.split(open).length === bare.split(close).length ? [] : [`${open} and ${close} do not match`],
  );
}

const element = elementOf(await makeManifest());
const attributes = new Set(element.attributes.map(({ name }) => name));
const PAGE_ATTRIBUTES = new Set(['id', 'class', 'lang', 'slot', 'ref', 'hidden']);
const slots = new Set(element.slots.map(({ name }) => name));
const events = new Set(element.events.map(({ name }) => name));
const fields = new Set([...fieldsOf(element), ...methodsOf(element)].map(({ name }) => name));
const VOID = new Set(['meta', 'link', 'img', 'br', 'input', 'hr', 'path']);

function judgeMarkup(code: string): string[] {
  const wrong: string[] = [];
  const open: string[] = [];
  const markup = code
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/(<(script|style)\b[^>]*>)[\s\S]*?(<\/\2>)/g, '$1$3');
  for (const [, closing, tag = '', rest = ''] of markup.matchAll(
    /<(\/?)([a-z][\w-]*)((?:[^>"'{]|"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\})*)>/gi,
  )) {
    if (closing) {
      const last = open.pop();
      if (last !== tag) wrong.push(`</${tag}> closes <${last ?? 'nothing'}>`);
      continue;
    }
    if (!rest.endsWith('/') && !VOID.has(tag)) open.push(tag);
    if (tag === 'pay-checkout') wrong.push(...judgeTag(rest));
    const slot = /\sslot="([^"]*)"/.exec(rest)?.[1];
    if (slot !== undefined && open.includes('pay-checkout') && !slots.has(slot))
      wrong.push(`there is no slot ${slot}`);
  }
  if (open.length > 0) wrong.push(`<${open.join('>, <')}> is not closed`);
  for (const [, json = ''] of code.matchAll(/<script type="importmap">([\s\S]*?)<\/script>/g))
    wrong.push(...judgeJson(json));
  for (const [, css = ''] of code.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g))
    wrong.push(...judgeStyle(css));
  return wrong;
}

/** Attributes of the tag, and what Vue writes with `:`, `.` and `@`, or Svelte with `on` and in braces. */
function judgeTag(rest: string): string[] {
  const bare = rest.replaceAll(/=(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\})|\{@attach [^}]*\}/g, '');
  const names = [...bare.matchAll(/[^\s/]+/g)].map(([name]) => name);
  return names.flatMap((name) => {
    if (name.startsWith('on')) return events.has(name.slice(2)) ? [] : [`there is no event ${name.slice(2)}`];
    if (name.startsWith('@')) return events.has(name.slice(1)) ? [] : [`there is no event ${name.slice(1)}`];
    if (name.startsWith('.'))
      return fields.has(name.slice(1)) ? [] : [`there is no property ${name.slice(1)}`];
    const plain = name.replace(/^:/, '');
    return attributes.has(plain) || PAGE_ATTRIBUTES.has(plain)
      ? []
      : [`<pay-checkout> has no attribute ${plain}`];
  });
}

const parts = new Set(element.cssParts.map(({ name }) => name));
const properties = new Set(element.cssProperties.map(({ name }) => name));

function judgeStyle(code: string): string[] {
  const css = code.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const braces = css.split('{').length === css.split('}').length ? [] : ['braces do not match'];
  const unknownParts = [...css.matchAll(/::part\(([\w-]+)\)/g)].filter(([, name = '']) => !parts.has(name));
  const unknownNames = [...css.matchAll(/--pay-[\w-]+/g)].filter(([name]) => !properties.has(name));
  return [
    ...braces,
    ...unknownParts.map(([text]) => `${text} is no part`),
    ...unknownNames.map(([name]) => `${name} is no custom property`),
  ];
}

function judgeJson(code: string): string[] {
  try {
    JSON.parse(code);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : 'no JSON'];
  }
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
/** Programs that the pages may tell people to run, besides npm and npx. */
const PROGRAMS = new Set(['cp', 'curl', 'php', 'node', 'openssl', 'echo', 'cd', 'mkdir', 'kill', 'git']);

async function judgeShell(code: string): Promise<string[]> {
  const wrong: string[] = [];
  const commands = code
    .replaceAll(/\\\n/g, ' ')
    .split(/\n|&&/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
  for (const command of commands) {
    const words = command.split(/\s+/).filter((word) => !/^[A-Z_]+=/.test(word));
    const [program = '', first = '', second = ''] = words;
    if (program === 'npm') {
      const script = first === 'run' ? second : first;
      const isBuiltIn = ['ci', 'install', 'pack', 'init'].includes(first);
      if (!isBuiltIn && scripts[script] === undefined) wrong.push(`npm has no script ${script}`);
    } else if (program === 'npx' && first === 'pay-checkout') {
      wrong.push(...(await judgeCli(second, words.slice(3))));
    } else if (!PROGRAMS.has(program)) wrong.push(`nobody knows the program ${program}`);
    for (const word of words) {
      if (/^(?:docs|src|test|demo|scripts)\/[\w./-]+$/.test(word) && !existsSync(word))
        wrong.push(`there is no ${word}`);
    }
  }
  return wrong;
}

/** A command must exist, and its help must know every flag. */
async function judgeCli(command: string, words: readonly string[]): Promise<string[]> {
  if (command === '') return [];
  let help = '';
  const code = await main(
    [command, '--help'],
    { write: (text) => (help += text) },
    { write: () => undefined },
  );
  if (code !== 0) return [`pay-checkout has no command ${command}`];
  return words
    .filter((word) => word.startsWith('--'))
    .map((word) => word.split('=')[0] ?? '')
    .filter((flag) => !new RegExp(`${flag}\\b`).test(help))
    .map((flag) => `pay-checkout ${command} has no flag ${flag}`);
}
