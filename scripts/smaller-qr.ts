import { type Rolldown, parseAst } from 'vite';
import { type Change, apply, visit } from './syntax.js';

/**
 * Takes out of qr-code-styling what the widget never asks it for: it comes as one file, from which a bundler can take
 * nothing. What stays draws square modules of one colour, with the least redundancy, and draws them the same
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

const words = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** Functions that are never called, or whose work the widget throws away. They go, and so do the calls. */
const FUNCTIONS = words(
  // Pictures of other kinds and text of other kinds, in the generator of codes
  'createTableTag createSvgTag createDataURL createImgTag createASCII renderTo2dContext createStringToBytes UTF-8',
  // Modules of other shapes
  '_basicDot _basicSideRounded _basicCornerRounded _basicCornerExtraRounded _basicCornersRounded _basicExtraRounded',
  '_drawDot _drawRounded _drawExtraRounded _drawClassy _drawClassyRounded',
  // Colours and logos: the widget takes the shapes alone
  'drawBackground _createColor loadImage drawImage',
  // Canvases, downloads, containers in the page
  '_setupCanvas _getElement download append deleteExtension _clearContainer',
);

/** Functions of which the widget needs less. It waits for the drawing and takes it from an extension. */
const BODIES = new Map([['getRawData', '{await this._svgDrawingPromise}']]);

/** Options that the widget never gives. */
const OPTIONS = words('gradient image color round jsdom');

/** Choices that it never makes: ways to write text into a code, shapes of modules. */
const CASES = words('Numeric Alphanumeric Kanji dots classy classy-rounded rounded extra-rounded');

/** How many blocks of which size a code has: a row for each of four levels of redundancy in each of 40 sizes. */
const BLOCK_ROWS = 160;
const LEVELS = 4;

/** The file exports in the way of every age of the web, which costs a bundler's helpers. */
const WRAPPED = /^!function\(t,e\)\{"object"==typeof exports&&.*?\}\(this,\(\(\)=>(?=\(\(\)=>\{)/;
const WRAPPED_END = /\)\);\s*(?:\/\/# sourceMappingURL=.*)?\s*$/;

export function smallerQrCode(code: string): string {
  const missing = new Set([...FUNCTIONS, ...BODIES.keys(), ...OPTIONS, ...CASES, 'blocks', 'shape', 'eyes']);
  const changes: Change[] = [];
  const cut = (found: string, { start, end }: Place, text: string) => {
    missing.delete(found);
    changes.push({ start, end, text });
  };
  visit<Found, Found>(parseAst(code), (node, parent) => {
    switch (node.type) {
      case 'MethodDefinition': {
        const name = node.key.name ?? '';
        if (FUNCTIONS.has(name)) cut(name, node, '');
        const body = BODIES.get(name);
        if (body !== undefined) cut(name, node.value.body, body);
        return;
      }
      case 'AssignmentExpression': {
        const name = nameOf(node.left) ?? '';
        if (FUNCTIONS.has(name) && node.right.type === 'FunctionExpression') cut(name, node, '0');
        return;
      }
      case 'CallExpression': {
        const name = nameOf(node.callee) ?? '';
        if (FUNCTIONS.has(name)) cut(name, node, '(void 0)');
        // The eyes are drawn module by module, as the rest is.
        else if (name === 'includes' && /Options\.type\)$/.test(code.slice(node.start, node.end)))
          cut('eyes', node, '!1');
        return;
      }
      case 'MemberExpression': {
        const name = nameOf(node) ?? '';
        const isWritten = parent?.type === 'AssignmentExpression' && parent.left === node;
        if (OPTIONS.has(name) && !isWritten) cut(name, node, '(void 0)');
        return;
      }
      case 'BinaryExpression':
        if (nameOf(node.left) === 'shape') cut('shape', node, '!1');
        return;
      case 'SwitchCase': {
        const name = node.test?.value ?? '';
        if (CASES.has(name)) cut(name, node, '');
        return;
      }
      case 'ArrayExpression':
        if (node.elements.length !== BLOCK_ROWS) return;
        node.elements.forEach((row, index) => index % LEVELS > 0 && cut('blocks', row, ''));
        return;
      default:
    }
  });
  const outermost = changes.filter(
    ({ start, end }) =>
      !changes.some(
        (other) => other.start <= start && end <= other.end && end - start < other.end - other.start,
      ),
  );
  const rest = apply(code, outermost);
  if (missing.size > 0 || !WRAPPED.test(rest) || !WRAPPED_END.test(rest))
    throw new Error(`qr-code-styling is not the one these cuts were made for: ${[...missing].join(', ')}`);
  return rest.replace(WRAPPED, 'export default ').replace(WRAPPED_END, ';');
}

/** Of `object.name` and `object["name"]`. */
function nameOf({ type, property }: { readonly type: string; readonly property?: Name }): string | undefined {
  return type === 'MemberExpression' ? (property?.name ?? property?.value) : undefined;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

interface Name {
  readonly name?: string;
  readonly value?: string;
}

interface Expression extends Place {
  readonly type: string;
  readonly property?: Name;
}

type Found = Place &
  (
    | { type: 'MethodDefinition'; key: Name; value: { body: Place } }
    | { type: 'AssignmentExpression'; left: Expression; right: Expression }
    | { type: 'CallExpression'; callee: Expression }
    | { type: 'MemberExpression'; property: Name }
    | { type: 'BinaryExpression'; left: Expression }
    | { type: 'SwitchCase'; test: Name | null }
    | { type: 'ArrayExpression'; elements: readonly Place[] }
  );
