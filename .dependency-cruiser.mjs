/** Who may import whom: `npx depcruise src demo`. test/architecture/imports.long.test.ts plants a breach of each rule. */

/**
 * What a part may import besides itself: other parts, parts of which it takes types alone, and packages. A folder of a part that
 * is listed by itself is a part of its own: a page of Lit elements beside the server that serves it.
 */
const parts = {
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
    packages: ['lean-qr', 'lit', 'qr-code-styling', 'valibot'],
  },
  service: { parts: ['contract'], packages: ['valibot'] },
  server: { parts: ['contract', 'service'], packages: ['valibot', 'hono'] },
  // The page knows its backend by the contract alone; the backend serves it built and never imports it.
  'console/page': {
    parts: ['contract', 'look', 'look/parts'],
    packages: ['chart.js', 'lean-qr', 'lit'],
  },
  'console/backend': { parts: ['contract', 'look', 'service', 'server'], packages: ['valibot', 'hono'] },
  sandbox: { parts: ['contract', 'look', 'service'], packages: ['hono', 'lean-qr', 'valibot'] },
  // Shows the sandbox's answers; the sandbox serves it built and never imports it.
  'sandbox/control': { parts: ['contract', 'look', 'look/parts'], types: ['sandbox'], packages: ['lit'] },
  simulator: { parts: ['contract', 'look', 'service', 'server', 'sandbox', 'transport'], packages: ['lit'] },
  node: { parts: [], packages: ['@hono/node-server'] },
  cli: {
    parts: ['contract', 'service', 'server', 'console/backend', 'sandbox', 'node'],
    packages: ['hono', 'libsql', 'pg', 'valibot'],
  },
};

/**
 * What a room may import of its own part besides itself; a room that is not listed may import all of it. What it `fetches` it
 * knows by type and `import()` alone: files that are not in the first download.
 */
const rooms = {
  'machine/opening': {
    knows: ['machine/current', 'machine/effect', 'machine/input', 'machine/state', 'machine/step'],
  },
  'element/opening': {
    knows: ['element/host', 'element/config', 'element/properties'],
    fetches: ['element/paying/paying', 'element/modal', 'element/basic-order'],
  },
  'sandbox/service': { knows: ['sandbox/qr-png'] },
  'sandbox/api': { knows: ['sandbox/service'] },
  'sandbox/pages': { knows: ['sandbox/service', 'sandbox/api', 'sandbox/qr-png'] },
  'server/orders': { knows: ['server/hooks', 'server/line'] },
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

const element = ['contract', 'look', 'machine', 'transport', 'element', 'locales'];
/** The files directly in src: the package's entry points, with the parts they may import. */
const browserEntries = {
  index: { parts: element },
  define: { parts: element },
  cdn: { parts: element },
  react: { parts: element, packages: ['react'] },
  vue: { parts: element, packages: ['vue'] },
  preact: { parts: element, packages: ['preact'] },
  solid: { parts: element, packages: ['solid-js'] },
  svelte: { parts: element, packages: ['svelte'] },
  'locale-en': { parts: ['locales'] },
  'locale-es': { parts: ['locales'] },
  contract: { parts: ['contract'] },
  'console-page': { parts: ['console/page', 'look', 'look/parts', 'contract'] },
  'control-page': { parts: ['sandbox/control', 'look', 'look/parts'] },
};
const serverEntries = {
  service: { parts: ['service', 'contract'] },
  server: { parts: ['server', 'service', 'contract'] },
  console: { parts: ['console/backend', 'server', 'service', 'contract'] },
  sandbox: { parts: ['sandbox', 'service', 'look', 'contract'] },
  simulator: { parts: ['simulator', 'sandbox', 'transport', 'contract'] },
  node: { parts: ['node'] },
  cli: { parts: ['cli', ...parts.cli.parts] },
};
const entries = { ...browserEntries, ...serverEntries };

const ANY_PART = '^src/.+/';
const ANY_ENTRY = '^src/[^/]+$';
const TYPES_ONLY = ['type-only', 'type-import'];

/** The files of a part, without those of a part inside it. */
const filesOf = (part) => {
  const inner = Object.keys(parts).filter((other) => other.startsWith(`${part}/`));
  const rest = inner.map((other) => `(?!${other.slice(part.length + 1)}/)`).join('');
  return `^src/${part}/${rest}`;
};
/** A room's folder or a single file. */
const place = (name) => `^src/${name}(?:/|\\.ts$)`;
const entry = (...names) => `^src/(?:${names.join('|')})\\.ts$`;

const rule = (name, from, to) => ({
  name,
  severity: 'error',
  from: typeof from === 'string' ? { path: from } : from,
  to: typeof to === 'string' ? { path: to } : to,
});

const packageRule = (name, from, packages = []) =>
  rule(`${name}: packages`, from, {
    path: 'node_modules/',
    ...(packages.length > 0 && { pathNot: `node_modules/(?:${packages.join('|')})/` }),
  });

const partRules = Object.entries(parts).flatMap(([name, { parts: known, types = [], packages }]) => [
  rule(`${name}: parts`, filesOf(name), {
    path: ANY_PART,
    pathNot: [name, ...known, ...types].map(filesOf),
  }),
  ...types.map((part) =>
    rule(`${name}: types of ${part}`, filesOf(name), {
      path: filesOf(part),
      dependencyTypesNot: TYPES_ONLY,
    }),
  ),
  packageRule(name, filesOf(name), packages),
]);

const roomRules = Object.entries(rooms).flatMap(([name, { knows, fetches = [] }]) => [
  rule(`${name}: room`, place(name), {
    path: filesOf(name.split('/')[0]),
    pathNot: [name, ...knows, ...fetches].map(place),
  }),
  ...fetches.map((file) =>
    rule(`${name}: fetches ${file}`, place(name), {
      path: place(file),
      dependencyTypesNot: TYPES_ONLY,
      dynamic: false,
    }),
  ),
]);

const entryRules = Object.entries(entries).flatMap(([name, { parts: known, packages }]) => [
  rule(`entry ${name}: parts`, entry(name), { path: ANY_PART, pathNot: known.map(filesOf) }),
  packageRule(`entry ${name}`, entry(name), packages),
]);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...partRules,
    ...roomRules,
    ...entryRules,
    rule('no cycles, counting types and import()', {}, { circular: true }),
    rule('what is imported exists', '^src/', { couldNotResolve: true }),
    rule(
      'only cli and node know Node',
      { path: '^src/', pathNot: '^src/(?:cli|node)(?:/|\\.ts$)' },
      { dependencyTypes: ['core'] },
    ),
    rule('src knows nothing outside src', '^src/', {
      path: '.',
      pathNot: '^src/|node_modules/',
      dependencyTypesNot: ['core'],
      couldNotResolve: false,
    }),
    rule('parts know no entry point', ANY_PART, ANY_ENTRY),
    rule(
      'element/paying: fetches the screens that only some payments show',
      '^src/element/paying/(?!(?:key|pse|link|codes)/)',
      {
        path: '^src/element/paying/(?:key|pse|link|codes)/',
        dependencyTypesNot: TYPES_ONLY,
        dynamic: false,
      },
    ),
    rule("only entry points know the element's class", ANY_PART, '^src/element/pay-checkout-element\\.ts$'),
    rule('browser entries lead to browser entries', entry(...Object.keys(browserEntries)), {
      path: ANY_ENTRY,
      pathNot: entry(...Object.keys(browserEntries)),
    }),
    rule('entry points are listed', { path: ANY_ENTRY, pathNot: entry(...Object.keys(entries)) }, {}),
    rule('parts are listed', { path: ANY_PART, pathNot: Object.keys(parts).map(filesOf) }, {}),
    rule(
      'parts are listed, also when imported',
      {},
      { path: ANY_PART, pathNot: Object.keys(parts).map(filesOf) },
    ),
    rule('files lie at most three folders deep', {}, '^src/[^/]+/[^/]+/[^/]+/[^/]+/'),
    rule('files are named in kebab-case', {}, '^src/.*[^a-z0-9./-]'),
    rule('the demo knows public entry points alone', '^demo/', {
      path: '^src/',
      pathNot: entry(...Object.keys(entries).filter((name) => name !== 'cli')),
    }),
  ],
  options: {
    // Packages are named, not read.
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:dist|dist-demo)/' },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['import', 'types', 'default'], exportsFields: ['exports'] },
  },
};
