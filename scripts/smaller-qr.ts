import { type Rolldown, parseAst } from 'vite';
import { type Change, apply, visit } from './syntax.js';

/**
 * Takes out of qr-code-styling what the widget never asks it for: it comes as one file, from which a bundler can take
 * nothing. What stays draws square modules as shapes, with the least redundancy, and draws them the same
 * (test/scripts/smaller-packages.test.ts). Another version of the package stops the build.
 */
export function smallerQr(): Rolldown.Plugin {
  return {
    name: 'smaller-qr',
    transform: {
      filter: { id: /\/qr-code-styling\/lib\/qr-code-styling\.js$/ },
      handler: (code) => ({ code: smallerQrCode(code), map: null }),
    },
  };
}

/** Functions that are never called, or whose work the widget throws away: they do nothing. */
const IDLE = new Set(
  [
    // Pictures of other kinds, made by the generator of codes
    'createTableTag createSvgTag createDataURL createImgTag createASCII renderTo2dContext createStringToBytes',
    // Modules of other shapes
    '_basicDot _basicSideRounded _basicCornerRounded _basicCornerExtraRounded _basicCornersRounded _basicExtraRounded',
    '_drawDot _drawRounded _drawExtraRounded _drawClassy _drawClassyRounded',
    // Colours and logos: the widget takes the shapes alone
    'drawBackground _createColor loadImage drawImage',
    // Canvases, downloads, containers in the page
    '_setupCanvas download append deleteExtension _clearContainer',
  ].flatMap((line) => line.split(' ')),
);

/** Ways to write text into a code; the widget always asks for bytes. */
const OTHER_MODES = new Set(['Numeric', 'Alphanumeric', 'Kanji']);

/** How many blocks of which size a code has: a row for each of four levels of redundancy in each of 40 sizes. */
const BLOCK_ROWS = 160;
const LEVELS = 4;

/** The file exports in the way of every age of the web, which costs a bundler's helpers. */
const WRAPPED = /^!function\(t,e\)\{"object"==typeof exports&&.*?\}\(this,\(\(\)=>(?=\(\(\)=>\{)/;
const WRAPPED_END = /\)\);\s*(?:\/\/# sourceMappingURL=.*)?\s*$/;

export function smallerQrCode(code: string): string {
  const missing = new Set([...IDLE, ...OTHER_MODES, 'blocks']);
  const changes: Change[] = [];
  const idle = (name: string | undefined, { start, end }: Body) => {
    if (name === undefined || !IDLE.has(name)) return;
    missing.delete(name);
    changes.push({ start, end, text: '{}' });
  };
  visit<Found>(parseAst(code), (node) => {
    if (node.type === 'MethodDefinition') idle(node.key.name, node.value.body);
    else if (node.type === 'AssignmentExpression' && node.right.type === 'FunctionExpression')
      idle(node.left.property?.name, node.right.body);
    else if (node.type === 'SwitchCase' && OTHER_MODES.has(node.test?.value ?? '')) {
      missing.delete(node.test!.value!);
      changes.push({ start: node.start, end: node.end, text: '' });
    } else if (node.type === 'ArrayExpression' && node.elements.length === BLOCK_ROWS) {
      missing.delete('blocks');
      node.elements.forEach(({ start, end }, row) => {
        if (row % LEVELS > 0) changes.push({ start, end, text: '' });
      });
    }
  });
  const outermost = changes.filter(
    ({ start, end }) => !changes.some((other) => other.start < start && end < other.end),
  );
  const rest = apply(code, outermost);
  if (missing.size > 0 || !WRAPPED.test(rest) || !WRAPPED_END.test(rest))
    throw new Error(`qr-code-styling is not the one these cuts were made for: ${[...missing].join(', ')}`);
  return rest.replace(WRAPPED, 'export default ').replace(WRAPPED_END, ';');
}

interface Body {
  readonly start: number;
  readonly end: number;
}

type Found =
  | { type: 'MethodDefinition'; key: { name?: string }; value: { body: Body } }
  | {
      type: 'AssignmentExpression';
      left: { property?: { name?: string } };
      right: { type: string; body: Body };
    }
  | (Body & { type: 'SwitchCase'; test: { value?: string } | null })
  | { type: 'ArrayExpression'; elements: readonly Body[] };
