import { type Rolldown, parseAst } from 'vite';
import { type Change, apply, visit } from './syntax.js';

/**
 * Takes out of `html` and `css` literals what only people need: indentation, quotes around plain attribute values,
 * zeros and semicolons. What is drawn stays the same: a space that a browser would show stays a space.
 */
export function shorterLiterals(): Rolldown.Plugin {
  return {
    name: 'shorter-literals',
    transform: {
      filter: { id: /\/src\/element\/.*\.ts$/, code: /\b(?:html|css)`/ },
      handler(code) {
        const changes: Change[] = [];
        visit<Tagged>(parseAst(code), ({ type, tag, quasi }) => {
          if (type !== 'TaggedTemplateExpression') return;
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
        });
        return changes.length === 0 ? null : { code: apply(code, changes), map: null };
      },
    },
  };
}

/** Where an expression stands in a literal. */
const HOLE = '\0';

export function shorterCss(text: string): string {
  return text
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>\0]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;\}/g, '}')
    .replace(/([ :(,/-])0\./g, '$1.')
    .trim();
}

/** Around and at the edges of these a browser shows no space; `button` and `label` stand in grids and flex boxes. */
const BLOCKS =
  'div|p|form|fieldset|legend|header|footer|ul|ol|li|dl|dt|dd|h2|h3|dialog|details|summary|button|label';

export function shorterHtml(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/<[^>]*>/g, (tag) => tag.replace(/ ?\/?>$/, '>').replace(/="([\w-]+)"/g, '=$1'))
    .replace(new RegExp(` ?(</?(?:${BLOCKS})\\b[^>]*>) ?`, 'g'), '$1');
}

interface Place {
  readonly start: number;
  readonly end: number;
}

interface Tagged {
  readonly type: 'TaggedTemplateExpression';
  readonly tag: { readonly name?: string };
  readonly quasi: Place & { readonly quasis: readonly Place[] };
}
