import { type Rolldown, parseAst } from 'vite';
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
  'documentTypes setPersonType setBank leaveBank chosen pick prime stateOf what look possible',
  'readAttempt readProblem readOffer onWake hear lead asks timeoutMs post',
].flatMap((line) => line.split(' '));

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SHORT = new Map(
  INTERNAL_NAMES.map((name, index) => [
    name,
    (index < LETTERS.length ? '' : '$') + LETTERS[index % LETTERS.length]!,
  ]),
);

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
    if (node.type !== 'Identifier' && node.type !== 'Literal') return;
    const short = SHORT.get(node.type === 'Identifier' ? node.name : String(node.value));
    if (short === undefined) return;
    const { start, end } = node;
    if (node.type === 'Literal') {
      // 'older' in state
      if (parent?.type !== 'BinaryExpression' || parent.operator !== 'in')
        throw new Error(`${file} says ${code.slice(start, end)} as text, which cannot be told from a name`);
      changes.push({ start, end, text: `'${short}'` });
    } else if (parent && !parent.computed && isName(node, parent)) {
      // { older } says it twice, as a property and as a variable.
      const text = parent.shorthand ? `${short}:${code.slice(start, end)}` : short;
      if (!changes.some((change) => change.start === start)) changes.push({ start, end, text });
    }
  });
  return apply(code, changes);
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
}
