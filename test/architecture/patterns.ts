/** Finds the regular expressions of a source and tells which of them may take more than linear time. */
import { checkSync } from 'recheck';
import ts from 'typescript';

/** A fixed seed, and steps counted instead of time taken: a busy machine gets the same answer. */
const sameEverywhere = {
  randomSeed: 1,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
} as const;

interface Pattern {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Every pattern that is not known to be linear, and every one that cannot be read from the source. */
export function patternFaults(path: string, text: string): string[] {
  const { patterns, hidden } = readPatterns(path, text);
  return [
    ...hidden.map(
      (where) => `${where} builds a pattern from parts: write it as a literal, so that it can be checked`,
    ),
    ...patterns.flatMap(({ where, source, flags }) => {
      const result = checkSync(source, flags, sameEverywhere);
      if (result.status === 'safe') return [];
      const reason = result.status === 'vulnerable' ? result.complexity.summary : result.error.kind;
      return [`${where} /${source}/${flags} is not known to be linear: ${reason}`];
    }),
  ];
}

export function readPatterns(path: string, text: string): { patterns: Pattern[]; hidden: string[] } {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const patterns: Pattern[] = [];
  const hidden: string[] = [];
  const visit = (node: ts.Node): void => {
    const where = `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      patterns.push({ where, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === 'RegExp'
    ) {
      const [source, flags] = node.arguments ?? [];
      const isFixed = source && ts.isStringLiteralLike(source) && (!flags || ts.isStringLiteralLike(flags));
      if (isFixed) patterns.push({ where, source: source.text, flags: flags?.text ?? '' });
      else hidden.push(where);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { patterns, hidden };
}
