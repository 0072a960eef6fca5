import { type ESLint, Linter, type Rule } from 'eslint';

/**
 * What Safari 16.4, Chrome 109 and Firefox 115 do not all have, by the name it is used under. Only what a page might be
 * tempted to use is listed; syntax newer than ES2022 is refused by the parser.
 */

/** Properties and methods whose names say enough. */
const MEMBERS = new Set(
  [
    // Language
    'withResolvers toSorted toReversed toSpliced isWellFormed toWellFormed fromAsync groupBy toArray waitAsync',
    'union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom',
    'toBase64 fromBase64 toHex fromHex transferToFixedLength sumPrecise supportedValuesOf formatRange',
    // Addresses, requests
    'canParse getSetCookie',
    // Document
    'startViewTransition showPopover hidePopover togglePopover requestClose checkVisibility setHTMLUnsafe setHTML',
    'getHTML parseHTMLUnsafe moveBefore states scrollIntoViewIfNeeded ariaNotify requestIdleCallback',
    // Only some browsers, or only pages with HTTPS
    'userActivation clipboard share canShare randomUUID locks scheduler trustedTypes wakeLock vibrate subtle',
  ].flatMap((line) => line.split(' ')),
);

/** Static methods whose names alone would say too little. */
const STATICS = new Set(
  'AbortSignal.any Response.json URL.parse Promise.try Iterator.from Error.isError RegExp.escape Intl.Segmenter Intl.DurationFormat CSS.registerProperty CSS.highlights'.split(
    ' ',
  ),
);

const GLOBALS = new Set(
  'Iterator Temporal Sanitizer CloseWatcher URLPattern scheduler navigation cookieStore Highlight ToggleEvent NavigateEvent requestIdleCallback EyeDropper'.split(
    ' ',
  ),
);

/** In styles and markup. */
const TEXTS: Readonly<Record<string, RegExp>> = {
  ':has()': /:has\(/,
  ':state()': /:state\(/,
  ':dir()': /:dir\(/,
  ':user-invalid': /:user-(?:in)?valid/,
  ':popover-open': /:popover-open|\spopover[\s=>]/,
  'light-dark()': /light-dark\(/,
  'color-mix()': /color-mix\(/,
  'oklch()': /\bok(?:lch|lab)\(/,
  'relative colours': /\b(?:rgb|hsl|hwb|lch|lab|color)a?\(from\s/,
  nesting: /[{;}]\s*&[\s.:>#[]/,
  '@scope': /@scope\b/,
  '@starting-style': /@starting-style/,
  '@property': /@property\s/,
  'style queries': /@container[^{]*\bstyle\(/,
  'text-wrap': /text-wrap(?:-style)?:/,
  'field-sizing': /field-sizing:/,
  anchors: /anchor-name:|position-anchor:|\banchor\(/,
  'interpolate-size': /interpolate-size:|calc-size\(/,
  'linear()': /[\s:,]linear\(/,
  'stepped maths': /[\s:(,](?:round|mod|rem|sin|cos|tan|pow|sqrt|hypot)\(/,
  'line-height units': /\d(?:r?lh)\b/,
  subgrid: /:\s*subgrid/,
  timelines: /(?:scroll|view|animation)-timeline/,
  'view transitions': /view-transition/,
  'unprefixed mask': /[;{\s]mask(?:-image)?:/,
  'details by name': /<details[^>]*\sname=/,
  commands: /\s(?:commandfor|closedby)=/,
};

interface Finding {
  readonly feature: string;
  readonly near: string;
}

/** Everything in the code of a build that some of those browsers may lack. A feature's first use stands for all. */
export function newFeatures(code: string): Finding[] {
  const messages = new Linter().verify(code, {
    languageOptions: { ecmaVersion: 2022, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'off', noInlineConfig: true },
    plugins: { old: plugin },
    rules: { 'old/browsers': 'error' },
  });
  const lines = code.split('\n');
  const findings = messages.map(({ message, line, column, fatal }) => ({
    feature: fatal ? `syntax: ${message}` : message,
    near: (lines[line - 1] ?? '').slice(Math.max(0, column - 40), column + 60),
  }));
  return findings.filter(
    ({ feature }, index) => findings.findIndex((each) => each.feature === feature) === index,
  );
}

const rule: Rule.RuleModule = {
  create(context) {
    const found = (node: Rule.Node, message: string) => context.report({ node, message });
    const text = (node: Rule.Node, value: string) => {
      for (const [name, pattern] of Object.entries(TEXTS)) if (pattern.test(value)) found(node, name);
    };
    return {
      MemberExpression(node) {
        const { object, property, computed } = node;
        const name =
          property.type === 'Identifier' && !computed
            ? property.name
            : property.type === 'Literal'
              ? String(property.value)
              : '';
        const whole = object.type === 'Identifier' ? `${object.name}.${name}` : name;
        if (STATICS.has(whole)) found(node, whole);
        else if (MEMBERS.has(name) || /^aria[A-Z]/.test(name)) found(node, name);
        else if (/^(?:globalThis|window|self)$/.test(whole.replace(`.${name}`, '')) && GLOBALS.has(name))
          found(node, name);
      },
      // const { locks } = navigator
      'ObjectPattern > Property > Identifier.key'(node: Rule.Node & { name: string }) {
        if (MEMBERS.has(node.name)) found(node, node.name);
      },
      ':not(MemberExpression) > Identifier'(node: Rule.Node & { name: string }) {
        if (GLOBALS.has(node.name) && node.parent?.type !== 'Property') found(node, node.name);
      },
      TemplateElement: (node) => text(node, node.value.raw),
      Literal: (node) => (typeof node.value === 'string' ? text(node, node.value) : undefined),
    };
  },
};

const plugin: ESLint.Plugin = { rules: { browsers: rule } };
