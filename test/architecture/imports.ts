/** Reads the import graph of the sources and judges it by the rules of the parts. */
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';

const browserParts = ['contract', 'look', 'machine', 'transport', 'element', 'locales'];

/**
 * What a part may import besides itself: other parts, and packages. A part that is not listed does not exist. A folder of
 * a part that is listed by itself is a part of its own: a page of Lit elements beside the server that serves it.
 */
const parts: Record<string, { readonly parts: readonly string[]; readonly packages: readonly string[] }> = {
  contract: { parts: [], packages: ['valibot'] },
  // Colours, icons and words of every page, and how a built one is served: for browsers and servers alike.
  look: { parts: [], packages: [] },
  // What the console's page and the sandbox's control page are made of.
  'look/parts': { parts: ['look', 'contract'], packages: ['lit'] },
  machine: { parts: ['contract'], packages: [] },
  transport: { parts: ['contract'], packages: ['valibot'] },
  locales: { parts: ['contract'], packages: [] },
  element: {
    parts: ['contract', 'look', 'machine', 'transport', 'locales'],
    packages: ['lit', 'qrcode-generator', 'valibot'],
  },
  service: { parts: ['contract'], packages: ['valibot'] },
  server: { parts: ['contract', 'service'], packages: ['valibot', 'hono'] },
  // The page knows its backend by the contract alone; the backend serves it built and never imports it.
  'console/page': {
    parts: ['contract', 'look', 'look/parts'],
    packages: ['chart.js', 'lit', 'qrcode-generator'],
  },
  'console/backend': { parts: ['contract', 'look', 'service', 'server'], packages: ['valibot', 'hono'] },
  sandbox: { parts: ['contract', 'look', 'service'], packages: ['valibot', 'hono', 'qrcode-generator'] },
  // Takes only types from the sandbox, whose answers it shows; the sandbox serves it built and never imports it.
  'sandbox/control': { parts: ['contract', 'look', 'look/parts', 'sandbox'], packages: ['lit'] },
  simulator: { parts: ['contract', 'look', 'service', 'server', 'sandbox', 'transport'], packages: ['lit'] },
  node: { parts: [], packages: ['@hono/node-server'] },
  cli: {
    parts: ['contract', 'service', 'server', 'console/backend', 'sandbox', 'node'],
    packages: ['hono', 'libsql', 'pg', 'valibot'],
  },
};

/**
 * What a room may import of its own part besides itself; a room that is not listed may import all of it. A pure room
 * decides by what it is given: it reads no clock, draws no random number and asks nobody.
 */
const rooms: Record<
  string,
  {
    readonly knows: readonly string[];
    /** What it may know as a type and by `import()` alone: files that are not in the first download. */
    readonly fetches?: readonly string[];
    readonly pure?: true;
  }
> = {
  'machine/opening': {
    knows: ['machine/current', 'machine/effect', 'machine/input', 'machine/state', 'machine/turn'],
  },
  'element/opening': {
    knows: ['element/host', 'element/config'],
    fetches: ['element/paying/paying', 'element/modal', 'element/basic-order'],
  },
  'element/paying/codes': { knows: ['element/host', 'element/opening/after-frame'] },
  'element/paying/controllers': { knows: ['element/host'] },
  'sandbox/service': { knows: ['sandbox/qr-png'] },
  'sandbox/api': { knows: ['sandbox/service'] },
  'sandbox/pages': { knows: ['sandbox/service', 'sandbox/api', 'sandbox/qr-png'] },
  'server/orders': { knows: ['server/hooks', 'server/line'], pure: true },
  'server/stores': { knows: ['server/line'] },
  'server/work': {
    knows: [
      'server/context',
      'server/hooks',
      'server/ids',
      'server/options',
      'server/order-repository',
      'server/orders',
      'server/stores',
    ],
  },
};
const ELEMENT = 'src/element/pay-checkout-element.ts';
const MOST_FOLDERS = 3;

/** The files directly in src: the package's entry points. Browser entries may never lead to server code. */
const entries: Record<
  string,
  { readonly parts: readonly string[]; readonly packages: readonly string[]; readonly browser: boolean }
> = {
  index: { parts: browserParts, packages: [], browser: true },
  define: { parts: browserParts, packages: [], browser: true },
  cdn: { parts: browserParts, packages: [], browser: true },
  react: { parts: browserParts, packages: ['react'], browser: true },
  vue: { parts: browserParts, packages: ['vue'], browser: true },
  preact: { parts: browserParts, packages: ['preact'], browser: true },
  solid: { parts: browserParts, packages: ['solid-js'], browser: true },
  svelte: { parts: browserParts, packages: ['svelte'], browser: true },
  'locale-en': { parts: ['locales'], packages: [], browser: true },
  'locale-es': { parts: ['locales'], packages: [], browser: true },
  contract: { parts: ['contract'], packages: [], browser: true },
  service: { parts: ['service', 'contract'], packages: [], browser: false },
  server: { parts: ['server', 'service', 'contract'], packages: [], browser: false },
  console: { parts: ['console/backend', 'server', 'service', 'contract'], packages: [], browser: false },
  'console-page': { parts: ['console/page', 'look', 'look/parts', 'contract'], packages: [], browser: true },
  'control-page': { parts: ['sandbox/control', 'look', 'look/parts'], packages: [], browser: true },
  sandbox: { parts: ['sandbox', 'service', 'look', 'contract'], packages: [], browser: false },
  simulator: { parts: ['simulator', 'sandbox', 'transport', 'contract'], packages: [], browser: false },
  node: { parts: ['node'], packages: [], browser: false },
  cli: { parts: ['cli', ...(parts['cli']?.parts ?? [])], packages: [], browser: false },
};

const serverParts = ['service', 'server', 'console/backend', 'sandbox', 'simulator', 'node', 'cli'];

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** By `import()`. */
  readonly fetched?: boolean;
}

/** The sources by path from the repository's root, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

interface Module {
  readonly path: string;
  readonly imports: readonly Import[];
  readonly isBarrel: boolean;
  readonly hidden: readonly string[];
  /** Where it reads a clock, draws a random number or asks somebody. */
  readonly impure: readonly string[];
}

/** What imports a file it is told of: the merchant's own configuration, and a file whose fetching failed once. */
const LOADS_WHAT_IT_IS_TOLD = ['src/cli/serve/config.ts', 'src/element/opening/part.ts'];

/** Every breach of the rules, as sentences; none when the sources keep them. */
export function breaches(sources: Sources): string[] {
  const modules = [...sources].map(([path, text]) =>
    path.endsWith('.ts') ? readModule(path, text) : readPage(path, text),
  );
  return [
    ...modules.flatMap((module) => placeBreaches(module)),
    ...modules.flatMap((module) =>
      module.imports.flatMap((each) => edgeBreaches(module.path, each, sources)),
    ),
    ...modules.flatMap((module) =>
      (LOADS_WHAT_IT_IS_TOLD.includes(module.path) ? [] : module.hidden).map(
        (text) => `${module.path} hides what it imports: ${text}`,
      ),
    ),
    ...modules
      .filter(({ path }) => rooms[roomOf(path) ?? '']?.pure === true)
      .flatMap(({ path, impure }) => impure.map((text) => `${path} uses ${text}, but its room is pure`)),
    ...cycleBreaches(modules, sources),
    ...reachBreaches(modules, sources),
  ];
}

function readModule(path: string, text: string): Module {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const hidden: string[] = [];
  const impure: string[] = [];
  const add = (literal: ts.Node | undefined, typeOnly: boolean, fetched = false) => {
    if (literal && ts.isStringLiteralLike(literal))
      imports.push({ specifier: literal.text, typeOnly, fetched });
    else if (literal) hidden.push(literal.getText());
  };
  const visit = (node: ts.Node): void => {
    // `import { type A }` still runs the module under verbatimModuleSyntax; only `import type` does not.
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node))
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument, true);
    else if (ts.isCallExpression(node)) {
      const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
      const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
      if (isImport || isRequire) add(node.arguments[0], false, isImport);
    }
    if (isImpure(node)) impure.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(file);
  const isBarrel =
    file.statements.some(ts.isExportDeclaration) &&
    file.statements.every(
      (statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement),
    );
  return { path, imports, isBarrel, hidden: path.startsWith('src/') ? hidden : [], impure };
}

const IMPURE_NAMES = ['crypto', 'fetch', 'performance', 'setTimeout', 'setInterval', 'queueMicrotask'];

function isImpure(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) {
    return node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0;
  }
  if (ts.isPropertyAccessExpression(node)) return ['Date.now', 'Math.random'].includes(node.getText());
  if (!ts.isIdentifier(node) || !IMPURE_NAMES.includes(node.text)) return false;
  const { parent } = node;
  return !(ts.isPropertyAccessExpression(parent) && parent.name === node);
}

/** A page names modules by address: /src/… from the server's root, or by a relative path. */
function readPage(path: string, text: string): Module {
  const imports = path.endsWith('.html')
    ? [...text.matchAll(/["'](?:\.\.|)\/(src\/[^"'?#]+)/g)].map(([, target]) => ({
        specifier: `/${target ?? ''}`,
        typeOnly: false,
      }))
    : [];
  return { path, imports, isBarrel: false, hidden: [], impure: [] };
}

function placeBreaches({ path, isBarrel }: Module): string[] {
  if (!path.startsWith('src/')) return [];
  const found: string[] = [];
  const [, , ...rest] = path.split('/');
  if (rest.length === 0) {
    if (!(entryName(path) in entries)) found.push(`${path} is not a known entry point`);
  } else {
    if (!(partOf(path) in parts)) found.push(`${path} is in no known part`);
    if (rest.length > MOST_FOLDERS) found.push(`${path} lies too deep`);
    if (isBarrel) found.push(`${path} is a barrel: it only passes on what others export`);
  }
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(posix.basename(path)))
    found.push(`${path} is not named in kebab-case`);
  return found;
}

function edgeBreaches(from: string, { specifier, typeOnly, fetched }: Import, sources: Sources): string[] {
  const target = resolve(from, specifier, sources);
  if (from.startsWith('demo/')) {
    const isPublic =
      target === undefined || !target.startsWith('src/') || (isEntry(target) && target !== 'src/cli.ts');
    return isPublic ? [] : [`${from} imports ${target}, which is not a public entry point`];
  }
  const rules = rulesOf(from);
  if (rules === undefined) return [];
  if (target === undefined) {
    const name = packageName(specifier);
    const isNode = specifier.startsWith('node:') || builtinModules.includes(name);
    if (isNode)
      return mayUseNode(from) ? [] : [`${from} imports ${specifier}, but only cli and node may know Node`];
    return rules.packages.includes(name)
      ? []
      : [`${from} imports the package ${name}, which its part may not use`];
  }
  if (!target.startsWith('src/')) return [`${from} imports ${target}, which is outside src`];
  if (isEntry(target)) {
    return isEntry(from) ? [] : [`${from} imports the entry point ${target}`];
  }
  if (target === ELEMENT && !isEntry(from)) {
    return [`${from} imports ${target}: only entry points know the element's class`];
  }
  const part = partOf(target);
  if (isEntry(from) || part !== partOf(from)) {
    return rules.parts.includes(part)
      ? []
      : [`${from} imports ${target}: ${label(from)} may not know ${part}`];
  }
  const room = roomOf(from);
  const later = typeOnly || fetched ? (rooms[room ?? '']?.fetches ?? []) : [];
  const known = room === undefined ? undefined : [room, ...(rooms[room]?.knows ?? []), ...later];
  const isKnown = known?.some((each) => target === `src/${each}.ts` || target.startsWith(`src/${each}/`));
  return isKnown === false ? [`${from} imports ${target}, which its room may not know`] : [];
}

/** The room with rules that a file lies in. */
function roomOf(path: string): string | undefined {
  return Object.keys(rooms).find((room) => path.startsWith(`src/${room}/`));
}

function cycleBreaches(modules: readonly Module[], sources: Sources): string[] {
  const edges = edgesOf(modules, sources, () => true);
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push(`cycle: ${[...trail.slice(start), path].join(' → ')}`);
    if (start >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of modules) walk(path, []);
  return found;
}

function reachBreaches(modules: readonly Module[], sources: Sources): string[] {
  const edges = edgesOf(modules, sources, ({ typeOnly }) => !typeOnly);
  return modules
    .filter(({ path }) => isEntry(path) && entries[entryName(path)]?.browser === true)
    .flatMap(({ path: entry }) => {
      const trails = new Map([[entry, [entry]]]);
      for (const [path, trail] of trails) {
        for (const next of edges.get(path) ?? []) if (!trails.has(next)) trails.set(next, [...trail, next]);
      }
      return [...trails]
        .filter(([path]) => !isEntry(path) && serverParts.includes(partOf(path)))
        .map(([, trail]) => `browser entry reaches server code: ${trail.join(' → ')}`);
    });
}

function edgesOf(
  modules: readonly Module[],
  sources: Sources,
  counts: (each: Import, path: string) => boolean,
): Map<string, string[]> {
  return new Map(
    modules.map(({ path, imports }) => [
      path,
      imports
        .filter((each) => counts(each, path))
        .map(({ specifier }) => resolve(path, specifier, sources))
        .filter((target) => target !== undefined),
    ]),
  );
}

/** The path an import leads to, or undefined for a package. `pay-checkout` is this package itself. */
function resolve(from: string, specifier: string, sources: Sources): string | undefined {
  if (packageName(specifier) === 'pay-checkout') return `src/${specifier.split('/')[1] ?? 'index'}.ts`;
  if (!specifier.startsWith('.') && !specifier.startsWith('/')) return undefined;
  const path = specifier.startsWith('/') ? specifier.slice(1) : posix.join(posix.dirname(from), specifier);
  const asSource = path.replace(/\.js$/, '.ts');
  return sources.has(asSource) ? asSource : path;
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function rulesOf(
  path: string,
): { readonly parts: readonly string[]; readonly packages: readonly string[] } | undefined {
  return isEntry(path) ? entries[entryName(path)] : parts[partOf(path)];
}

function isEntry(path: string): boolean {
  return path.startsWith('src/') && path.split('/').length === 2;
}

function entryName(path: string): string {
  return posix.basename(path, '.ts');
}

function partOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  const inner = `${first}/${second}`;
  return inner in parts ? inner : first;
}

function label(path: string): string {
  return isEntry(path) ? `the entry ${entryName(path)}` : partOf(path);
}

function mayUseNode(path: string): boolean {
  return path === 'src/cli.ts' || path.startsWith('src/node/') || path.startsWith('src/cli/');
}
