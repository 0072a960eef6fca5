/** Small habits that a linter does not know: what may not slip into tests and sources. */
import ts from 'typescript';

const testNames = new Set(['test', 'it', 'describe', 'suite', 'before', 'after', 'context']);
const machinePath = /(?:^|[\s"'`(=])\/(?:work|home|root|Users)\/\w|\b[A-Z]:\\\w/u;

/** Paths that exist on one machine only. */
export function machinePathFaults(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      machinePath.test(line) ? [`${path}:${index + 1} names a path of one machine`] : [],
    );
}

/** Without one of these words a file has none of the faults, and need not be parsed. */
const suspicious = /\.only\b|\.skip\b|\b(?:only|skip):|aTimeout|setTimeout|timers\/promises/;

/** Tests that hide others, are left out without a word, or wait for real time to pass. */
export function testFaults(path: string, text: string): string[] {
  if (!suspicious.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    const lineOf = () => file.getLineAndCharacterOfPosition(node.getStart()).line;
    const say = (fault: string) => faults.push(`${path}:${lineOf() + 1} ${fault}`);
    if (ts.isCallExpression(node)) {
      const callee = node.expression;
      if (ts.isPropertyAccessExpression(callee) && testNames.has(callee.expression.getText())) {
        if (callee.name.text === 'only') say('runs only itself');
        // Mocha's titles are all that is reported, so they carry the reason; those under node use `skipWhen`.
        const title = node.arguments[0];
        const hasReason = path.endsWith('.browser.test.ts') && title && /\(.+\)/.test(title.getText());
        if (callee.name.text === 'skip' && !hasReason) say('is skipped without a reason');
      }
      const givesNoReason = node.arguments.length === 0 && /^(?:t|context)\.skip$/.test(callee.getText());
      if (givesNoReason) say('is skipped without a reason');
      const sleeps =
        callee.getText() === 'aTimeout' || (callee.getText() === 'setTimeout' && isInsidePromise(node));
      const excuse = /\/\/ real time: \S/;
      const isExcused = () =>
        lines.slice(Math.max(0, lineOf() - 1), lineOf() + 1).some((line) => excuse.test(line));
      if (sleeps && !isExcused())
        say('sleeps: use a fake clock, or say why not in a comment `// real time: …`');
    }
    if (ts.isPropertyAssignment(node) && /^(?:skip|only)$/.test(node.name.getText())) {
      if (node.initializer.kind === ts.SyntaxKind.TrueKeyword)
        say(`has \`${node.getText()}\` without a reason`);
    }
    if (ts.isImportDeclaration(node) && /timers\/promises['"]$/.test(node.moduleSpecifier.getText())) {
      say('imports timers/promises, which only sleeps');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults;
}

function isInsidePromise(node: ts.Node): boolean {
  for (
    let outer = node.parent as ts.Node | undefined;
    outer && !ts.isBlock(outer);
    outer = outer.parent as ts.Node | undefined
  ) {
    if (ts.isNewExpression(outer) && outer.expression.getText() === 'Promise') return true;
  }
  // `new Promise((resolve) => { setTimeout(resolve, …) })`: the callback is the executor's own argument.
  const [callback] = ts.isCallExpression(node) ? node.arguments : [];
  return callback !== undefined && /^(?:resolve|done)$/.test(callback.getText());
}
