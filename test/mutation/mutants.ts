import ts from 'typescript';

/** One small mistake: the text from `start` to `end` becomes `replacement`. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const OTHER_OPERATOR: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};

/** The mistakes a colleague could make in this source. What only describes (types, imports, errors' texts) is left. */
export function mutantsOf(fileName: string, text: string): Mutant[] {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const replace = (node: ts.Node, replacement: string) =>
    found.push({ start: node.getStart(), end: node.getEnd(), replacement });

  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || ts.isThrowStatement(node)) return;
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      replace(condition, 'true');
      replace(condition, 'false');
    } else if (ts.isBinaryExpression(node)) {
      const other = OTHER_OPERATOR[node.operatorToken.getText()];
      if (other !== undefined && !joinsTexts(node)) replace(node.operatorToken, other);
      if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) replace(node, node.left.getText());
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      replace(node, node.operand.getText());
    } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
      replace(node, node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true');
    } else if (ts.isExpressionStatement(node) && !isDirective(node)) {
      replace(node, ';');
    } else if (ts.isReturnStatement(node) && node.expression === undefined) {
      replace(node, ';');
    } else if (ts.isCallExpression(node) && node.arguments.length === 1 && !ts.isSpreadElement(first(node))) {
      // A conversion or a check that is left out: encodeURIComponent(id) becomes id.
      if (ts.isIdentifier(node.expression)) replace(node, `(${first(node).getText()})`);
    } else if (ts.isObjectLiteralExpression(node) && !ts.isExpressionStatement(node.parent)) {
      for (const member of node.properties) {
        const comma = /^\s*,/.exec(text.slice(member.getEnd()))?.[0].length ?? 0;
        found.push({ start: member.getStart(), end: member.getEnd() + comma, replacement: '' });
      }
    } else if (ts.isNumericLiteral(node)) {
      replace(node, `${node.getText()} + 1`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const first = (call: ts.CallExpression) => call.arguments[0] as ts.Expression;

const isDirective = ({ expression }: ts.ExpressionStatement) => ts.isStringLiteral(expression);

const joinsTexts = ({ left, right }: ts.BinaryExpression) =>
  [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
