import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

/** Properties that turn text into markup or code. The page's policy refuses them; so do we, earlier. */
const markupSinks = [
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'createContextualFragment',
  'srcdoc',
].map((property) => ({ property, message: 'Text is text: build nodes or use a Lit template.' }));

const nodeGlobals = [
  'process',
  'Buffer',
  'require',
  'module',
  'global',
  '__dirname',
  '__filename',
  'setImmediate',
].map((name) => ({
  name,
  message: 'Only web-standard APIs here: this also runs in pages, workers, Bun and Deno.',
}));
const pageGlobals = ['window', 'document', 'location', 'localStorage', 'sessionStorage', 'navigator'].map(
  (name) => ({
    name,
    message: 'This part also runs where there is no page.',
  }),
);
const effectGlobals = ['fetch', 'setTimeout', 'setInterval', 'queueMicrotask', 'crypto', 'performance'].map(
  (name) => ({
    name,
    message: 'This part decides and does nothing: return an effect.',
  }),
);

const effectProperties = [
  { object: 'Date', property: 'now' },
  { object: 'Math', property: 'random' },
].map((each) => ({ ...each, message: 'This part decides by what it is given.' }));

const shapes = [
  { selector: 'TSEnumDeclaration', message: 'Use a union or an `as const` object.' },
  { selector: 'TSParameterProperty', message: 'Declare the field.' },
  { selector: 'TSModuleDeclaration[kind="namespace"]', message: 'Use a module.' },
];
const hiddenImport = {
  selector: 'ImportExpression[source.type!="Literal"]',
  message: 'Name the file, so that the rules of imports see it.',
};
const barrel = {
  selector:
    'Program:has(> :matches(ExportAllDeclaration, ExportNamedDeclaration)):not(:has(> :not(:matches(ImportDeclaration, ExportAllDeclaration, ExportNamedDeclaration[declaration=null]))))',
  message: 'No barrels inside a part: import from where it is declared.',
};
const timeOfDay = {
  selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
  message: 'This part decides by what it is given.',
};

export default tseslint.config(
  { ignores: ['dist/', 'dist-demo/', 'coverage/', '.data/', '.stryker-tmp/', 'node_modules/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strict],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-console': 'off',
      'no-throw-literal': 'off',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'no-restricted-syntax': ['error', ...shapes],
      'no-restricted-properties': ['error', ...markupSinks],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            // Typed as a promise because of its DOM comparison, which is not one either.
            { from: 'package', package: 'chai', name: 'Equal' },
          ],
        },
      ],
      '@typescript-eslint/no-implied-eval': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/no-unsafe-argument': 'error',
      '@typescript-eslint/no-unsafe-assignment': 'error',
      '@typescript-eslint/no-unsafe-call': 'error',
      '@typescript-eslint/no-unsafe-member-access': 'error',
      '@typescript-eslint/no-unsafe-return': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      // The habit is an exhaustive check that throws, in `default`.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
    },
  },
  {
    files: ['{src,demo,test}/**/*.{ts,tsx}'],
    rules: { 'max-lines': ['error', 400] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/cli.ts', 'src/cli/**'],
    rules: { 'no-restricted-globals': ['error', ...nodeGlobals], 'no-console': 'error' },
  },
  {
    files: ['src/{contract,service,server,sandbox}/**/*.ts', 'src/look/*.ts'],
    ignores: ['src/sandbox/control/**'],
    rules: { 'no-restricted-globals': ['error', ...nodeGlobals, ...pageGlobals] },
  },
  {
    files: ['src/**/*.ts'],
    // These import what they are given: the merchant's own configuration, and a file whose fetching failed once.
    ignores: ['src/*.ts', 'src/cli/serve/config.ts', 'src/element/opening/chunk.ts'],
    rules: { 'no-restricted-syntax': ['error', ...shapes, barrel, hiddenImport] },
  },
  {
    files: ['src/machine/**/*.ts', 'src/server/orders/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...nodeGlobals, ...pageGlobals, ...effectGlobals],
      'no-restricted-properties': ['error', ...markupSinks, ...effectProperties],
      'no-restricted-syntax': ['error', ...shapes, barrel, hiddenImport, timeOfDay],
    },
  },
  {
    files: [
      'src/element/**/*.ts',
      'src/look/parts/**/*.ts',
      'src/sandbox/control/**/*.ts',
      'src/console/page/**/*.ts',
      'demo/**/*.ts',
    ],
    extends: [lit.configs['flat/recommended'], wc.configs['flat/best-practice'], litA11y.configs.recommended],
    settings: { litHtmlSources: true },
    rules: {
      'lit/attribute-names': 'error',
      'lit/ban-attributes': [
        'error',
        'style',
        'onclick',
        'oninput',
        'onchange',
        'onsubmit',
        'onload',
        'onerror',
      ],
      'lit/lifecycle-super': 'error',
      'lit/no-classfield-shadowing': 'error',
      'lit/no-legacy-imports': 'error',
      'lit/no-native-attributes': 'error',
      'lit/no-private-properties': 'error',
      'lit/no-this-assign-in-render': 'error',
      'lit/no-useless-template-literals': 'error',
      'lit/no-value-attribute': 'error',
      'lit/prefer-nothing': 'error',
      'lit/prefer-static-styles': 'error',
      'lit/quoted-expressions': ['error', 'never'],
      'lit/value-after-constraints': 'error',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['lit/directives/style-map*'], message: 'A strict policy refuses style attributes.' },
            { group: ['lit/directives/unsafe-*'], message: 'Text is text.' },
            { group: ['lit/decorators*'], message: 'Use static `properties` and `declare` fields.' },
          ],
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'demo/**/*.{ts,tsx}', 'scripts/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // chai's assertions are property reads.
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
);
