import { type Rolldown, parseAst } from 'vite';
import { KNOWN } from '../src/locales/message-names.js';
import { type Change, apply, visit } from './syntax.js';

/**
 * Properties that only the widget's own modules say to each other: the build gives them names of a letter or two.
 * None may be said by a page, a backend, a catalogue of words or what is kept in the browser
 * (test/scripts/shorter-names.test.ts), nor be made up while the widget runs, which the build refuses.
 */
export const INTERNAL_NAMES: readonly string[] = [
  // The machine's state, inputs and effects
  'screen effects older doing told atMs clockOffsetMs connection replacing alreadyInProgress checkingUntilMs',
  'sinceMs slowAtMs untilMs retryAtMs returned linkMode previousAmountInCents failure failures config run',
  // What controllers and views hand on
  'views send keep want redraw waiting prefill nowMs brebLimitInCents report announceScreen recall isAnothers restart',
  'hostConnected hostDisconnected hostUpdate hostUpdated addController removeController willUpdate memory',
  // Forms, copying, pictures, watching
  'documentTypes setPersonType pick look',
  'onWake hear lead asks timeoutMs post',
].flatMap((line) => line.split(' '));

/**
 * What the same modules say to each other as text: the build makes numbers of it. None may be a word of a page, a
 * backend, a catalogue, the browser or what it keeps (the same test), nor stand where it could be one, which the build
 * refuses.
 */
export const INTERNAL_WORDS: readonly string[] = [
  // Inputs of the machine
  'start stop opened closed page-restored tick choose back check another-method renew override retry follow finish',
  'offer-loaded offer-failed create-failed attempt attempt-missing watch-failed redirect-canceled redirect-refused',
  // Its effects, and what it announces
  'load-offer create watch redirect schedule emit announce remember clean-address measure',
  'offer-changed stalled checking nothing-yet unreachable blocked trouble fix-fields',
  // What is being done and what became of it
  'OFFLINE TROUBLE NONE ASKING NOTHING_YET UNREACHABLE LOAD CREATE REDIRECT ADDRESS MEMORY FOLLOW SHOW',
  'WAIT ASK LISTEN DRAWING READY',
].flatMap((line) => line.split(' '));

/**
 * The names of the payer's words, as far as nothing else is called so. Pages say them too, and `message-names.ts`
 * tells what they are called here: it is fetched when a page has words of its own.
 */
export const WORD_NAMES: readonly string[] = Object.keys(KNOWN).filter(
  (name) => /[A-Z]/.test(name) && !/^(personType|newKey|taxId)$/.test(name),
);

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SHORT_NAMES = new Map(
  [...INTERNAL_NAMES, ...WORD_NAMES].map((name, index) => [
    name,
    ['', '$', '_', '$_', '$$'][Math.floor(index / LETTERS.length)]! + LETTERS[index % LETTERS.length]!,
  ]),
);
/** Not zero: a word is never taken for nothing. */
const NUMBERS = new Map(INTERNAL_WORDS.map((word, index) => [word, String(index + 1)]));

export function shorterNames(): Rolldown.Plugin {
  return {
    name: 'shorter-names',
    transform: {
      filter: { id: /\/src\/.*\.ts(?:\?.*)?$/ },
      handler: (code, id) => ({ code: renamed(code, id), map: null }),
    },
  };
}

export function renamed(code: string, file = 'code'): string {
  const changes: Change[] = [];
  visit<Node, Parent>(parseAst(code), (node, parent) => {
    const { start, end } = node;
    if (node.type === 'Literal') {
      const text = shorterText(node, parent, `${file} says ${code.slice(start, end)}`);
      if (text !== undefined) changes.push({ start, end, text });
    } else if (node.type === 'Identifier' && parent && !parent.computed && isName(node, parent)) {
      const short = SHORT_NAMES.get(node.name);
      if (short === undefined || changes.some((change) => change.start === start)) return;
      // { older } says it twice, as a property and as a variable.
      changes.push({ start, end, text: parent.shorthand ? `${short}:${code.slice(start, end)}` : short });
    }
  });
  return apply(code, changes);
}

function shorterText(node: Node, parent: Parent | null, said: string): string | undefined {
  const text = String(node.value);
  const name = SHORT_NAMES.get(text);
  // 'older' in state
  if (parent?.operator === 'in') return name && `'${name}'`;
  if (name !== undefined) throw new Error(`${said} as text, which cannot be told from a name`);
  const number = NUMBERS.get(text);
  if (number !== undefined && !(parent && isWord(node, parent)))
    throw new Error(`${said} where it may be more than a word among the widget's own modules`);
  return number;
}

/** Where modules say a word to each other, and not to the browser or to the page. */
function isWord(node: Node, { type, operator = '', value, left }: Parent): boolean {
  switch (type) {
    case 'Property':
      return value === node;
    case 'BinaryExpression':
      return /^[!=]==$/.test(operator);
    case 'AssignmentExpression':
      return left?.type === 'Identifier';
    default:
      return /^(?:SwitchCase|ConditionalExpression|VariableDeclarator)$/.test(type);
  }
}

function isName(node: Node, { type, property, key }: Parent): boolean {
  if (type === 'MemberExpression') return property === node;
  return (
    (type === 'Property' || type === 'MethodDefinition' || type === 'PropertyDefinition') && key === node
  );
}

interface Node {
  readonly type: 'Identifier' | 'Literal';
  readonly name: string;
  readonly value?: unknown;
  readonly start: number;
  readonly end: number;
}

interface Parent {
  readonly type: string;
  readonly computed?: boolean;
  readonly shorthand?: boolean;
  readonly operator?: string;
  readonly property?: object;
  readonly key?: object;
  readonly value?: unknown;
  readonly left?: { readonly type: string };
}
