/** What the plugins of the build share to change code by its syntax tree. */

export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The code with these changes, none of which may lie within another. */
export function apply(code: string, changes: readonly Change[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text } of [...changes].sort((a, b) => a.start - b.start)) {
    result += code.slice(at, start) + text;
    at = end;
  }
  return result + code.slice(at);
}

/** Every node of a tree, from the outside in; the caller says by its type which kinds it looks at. */
export function visit<Node extends { readonly type: string }, Parent extends object = object>(
  node: object,
  found: (node: Node, parent: Parent | null) => void,
  parent: Parent | null = null,
): void {
  if ('type' in node) found(node as unknown as Node, parent);
  const within = 'type' in node ? (node as Parent) : parent;
  for (const child of Object.values(node) as unknown[]) {
    if (typeof child === 'object' && child !== null) visit(child, found, within);
  }
}
