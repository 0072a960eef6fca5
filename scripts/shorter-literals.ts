import { type Rolldown, parseAst } from 'vite';
import { type Change, apply, visit } from './syntax.js';

/** Custom properties that only the widget's own styles say, as `--_name`: the build numbers them. */
export const OWN_PROPERTIES: readonly string[] = [
  'text-muted border radius surface-sunken text space accent inner pad focus surface border-strong surface-raised',
  'negative caution positive-tint positive caution-tint on-accent negative-tint',
].flatMap((line) => line.split(' '));

/**
 * Classes in the widget's own tree: the build gives them names of a letter or two. Only those that styles, templates
 * and selectors write out: what is chosen while the widget runs could be any text, so the build refuses it.
 */
export const OWN_CLASSES: readonly string[] = [
  'body btn qr row narrow seg also bone copyrow rows zoom combo wait steps scan how pulse spin ghost value split',
  'way chevron head inline rule bar card reach two field qrtools far close lead cap tall method whole total logo',
  'result near line summary half who end notices notice note badge tight methods sum waiting help ico third',
].flatMap((line) => line.split(' '));

/** Small letters only: a page without a doctype takes `.A` for `.a`. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SHORT_CLASSES = new Map(
  OWN_CLASSES.map((name, index) => [
    name,
    LETTERS[index % LETTERS.length]! + (index < LETTERS.length ? '' : Math.floor(index / LETTERS.length)),
  ]),
);

/**
 * Takes out of `html` and `css` literals what only people need: indentation, quotes around plain attribute values,
 * zeros and semicolons, long names of the widget's own. What is drawn stays the same: a space that a browser would
 * show stays a space.
 */
export function shorterLiterals(): Rolldown.Plugin {
  return {
    name: 'shorter-literals',
    transform: {
      filter: { id: /\/src\/element\/.*\.ts$/ },
      handler: (code, id) => ({ code: shortened(code, id), map: null }),
    },
  };
}

export function shortened(code: string, file = 'code'): string {
  const changes: Change[] = [];
  visit<Tagged | Text>(parseAst(code), (node) => {
    if (node.type === 'TaggedTemplateExpression') {
      const { tag, quasi } = node;
      const shorten = tag.name === 'html' ? shorterHtml : tag.name === 'css' ? shorterCss : undefined;
      if (!shorten) return;
      const before = quasi.quasis.map(({ start, end }) => code.slice(start, end)).join(HOLE);
      const after = shorten(before);
      const parts = after.split(HOLE);
      quasi.quasis.forEach(({ start, end }, index) => {
        changes.push({ start, end, text: parts[index] ?? '' });
      });
      // The lines that went come after the literal, so that what follows keeps its place in the source map.
      const lines = '\n'.repeat(before.split('\n').length - after.split('\n').length);
      changes.push({ start: quasi.end, end: quasi.end, text: lines });
    } else if (
      node.type === 'TemplateElement' ||
      (node.type === 'Literal' && typeof node.value === 'string')
    ) {
      const { start, end } = node;
      const before = code.slice(start, end);
      // Not a part of what was shortened above, from the outside in.
      if (!changes.some((change) => change.start === start && change.end === end))
        changes.push({ start, end, text: shorterText(before, file) });
    }
  });
  return apply(code, changes);
}

/** Text outside of templates and styles: a selector, or nothing of the styles'. */
function shorterText(text: string, file: string): string {
  if (text.includes('--_') || SHORT_CLASSES.has(text.replace(/^["']?\s*|\s*["']?$/g, '')))
    throw new Error(
      `${file} says ${text}, which cannot be told from a name of the styles: take that off the list`,
    );
  return shorterClasses(text);
}

const shorterClasses = (text: string) =>
  text.replace(/(?<=\.)[a-z][\w-]*/g, (name) => SHORT_CLASSES.get(name) ?? name);

/** The value of a `class` attribute. */
function shorterList(list: string): string {
  return list.replace(/[^ "]+/g, (name) => {
    if (name.length > 1 && name.includes(HOLE))
      throw new Error(`A class is put together as ${name.replaceAll(HOLE, '${...}')}: write it out`);
    return SHORT_CLASSES.get(name) ?? name;
  });
}

function shorterProperty(name: string): string {
  const index = OWN_PROPERTIES.indexOf(name);
  if (index < 0) throw new Error(`Styles say --_${name}, which is not on the list of their own properties`);
  return `--_${index}`;
}

/** Where an expression stands in a literal. */
const HOLE = '\0';

export function shorterCss(text: string): string {
  return shorterClasses(text)
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>\0]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;\}/g, '}')
    .replace(/([ :(,/-])0\./g, '$1.')
    .replace(/--_([\w-]+)/g, (_, name: string) => shorterProperty(name))
    .trim();
}

/** Around and at the edges of these a browser shows no space; `button` and `label` stand in grids and flex boxes. */
const BLOCKS =
  'div|p|form|fieldset|legend|header|footer|ul|ol|li|dl|dt|dd|h2|h3|dialog|details|summary|button|label';

export function shorterHtml(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/<[^>]*>/g, (tag) =>
      tag
        .replace(/ ?\/?>$/, '>')
        .replace(/(?<= class=)(?:"[^"]*|[\w-]+)/, shorterList)
        .replace(/="([\w-]+)"/g, '=$1'),
    )
    .replace(new RegExp(` ?(</?(?:${BLOCKS})\\b[^>]*>) ?`, 'g'), '$1');
}

interface Place {
  readonly start: number;
  readonly end: number;
}

interface Text extends Place {
  readonly type: 'Literal' | 'TemplateElement';
  readonly value?: unknown;
}

interface Tagged {
  readonly type: 'TaggedTemplateExpression';
  readonly tag: { readonly name?: string };
  readonly quasi: Place & { readonly quasis: readonly Place[] };
}
