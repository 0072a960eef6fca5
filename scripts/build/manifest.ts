import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * What editors, documentation and wrappers know of the element: its custom-elements.json (schema 2.1), read from the
 * class, its JSDoc and its events. The class is the only place where any of it is written.
 */

export interface Described {
  readonly name: string;
  readonly description?: string;
}

interface Typed {
  readonly type?: { readonly text: string };
}

export interface Attribute extends Described, Typed {
  readonly fieldName: string;
  readonly default?: string;
}

export interface Field extends Described, Typed {
  readonly kind: 'field';
  readonly attribute?: string;
  readonly reflects?: true;
  readonly readonly?: true;
  readonly default?: string;
}

export interface Method extends Described {
  readonly kind: 'method';
  readonly static?: true;
  readonly parameters?: readonly (Described &
    Typed & { readonly optional?: true; readonly default?: string })[];
  readonly return?: { readonly type: { readonly text: string } };
}

export interface EventEntry extends Described {
  readonly type: { readonly text: string };
}

export interface CssProperty extends Described {
  readonly default?: string;
}

export interface ClassDeclaration extends Described {
  readonly kind: 'class';
  readonly superclass?: { readonly name: string; readonly package?: string };
  readonly members: readonly (Field | Method)[];
}

export interface ElementDeclaration extends ClassDeclaration {
  readonly customElement: true;
  readonly tagName: string;
  readonly summary: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly EventEntry[];
  readonly slots: readonly Described[];
  readonly cssParts: readonly Described[];
  readonly cssProperties: readonly CssProperty[];
  readonly cssStates: readonly Described[];
}

interface ManifestModule {
  readonly kind: 'javascript-module';
  readonly path: string;
  readonly declarations?: readonly (ClassDeclaration | ElementDeclaration)[];
  readonly exports: readonly {
    readonly kind: 'js' | 'custom-element-definition';
    readonly name: string;
    readonly declaration: { readonly name: string; readonly module: string };
  }[];
}

export interface Manifest {
  readonly schemaVersion: '2.1.0';
  readonly readme: string;
  readonly modules: readonly ManifestModule[];
}

const ELEMENT = 'src/element/pay-checkout-element.ts';
const EVENTS = ['src/element/opening/events.ts', 'src/element/paying/events.ts'];

export function makeManifest(): Manifest {
  const element = describeElement();
  const elementModule = builtPath(ELEMENT);
  return {
    schemaVersion: '2.1.0',
    readme: 'README.md',
    modules: [
      module(ELEMENT, [element]),
      {
        kind: 'javascript-module',
        path: 'dist/define.js',
        exports: [
          {
            kind: 'custom-element-definition',
            name: element.tagName,
            declaration: { name: element.name, module: elementModule },
          },
        ],
      },
      ...EVENTS.map((path) => module(path, classesOf(path).filter(isExported).map(describeClass))),
    ],
  };
}

/** The one custom element of the package. */
export function describeElement(): ElementDeclaration {
  const [declaration] = classesOf(ELEMENT);
  if (!declaration) throw new Error(`${ELEMENT} has no class`);
  const doc = readDoc(declaration);
  const options = reactiveOptions(declaration);
  const described = describeClass(declaration);
  const defaults = constructorDefaults(declaration);
  const members = described.members.map((member): Field | Method => {
    const option = member.kind === 'field' ? options.get(member.name) : undefined;
    if (member.kind !== 'field' || !option) return member;
    const value = defaults.get(member.name);
    return {
      ...member,
      ...(option.attribute === null ? {} : { attribute: option.attribute }),
      ...(option.reflects ? { reflects: true as const } : {}),
      ...(value === undefined ? {} : { default: value }),
    };
  });
  const attributes = members.flatMap((member): Attribute[] => {
    if (member.kind !== 'field' || member.attribute === undefined) return [];
    const { name: fieldName, description, type, default: value } = member;
    return [
      {
        name: member.attribute,
        fieldName,
        ...(description === undefined ? {} : { description }),
        ...(type ? { type: { text: type.text.replace(/ \| null$/, '') } } : {}),
        ...(value === undefined || value === 'null' ? {} : { default: value }),
      },
    ];
  });
  for (const name of options.keys())
    if (!members.some((member) => member.name === name))
      throw new Error(`The property ${name} is not declared`);
  return {
    ...described,
    customElement: true,
    tagName: only(doc.tags, 'tag'),
    summary: only(doc.tags, 'summary'),
    members,
    attributes,
    events: doc.tags.filter(({ tag }) => tag === 'event').map(({ text }) => readEvent(text)),
    slots: doc.tags.filter(({ tag }) => tag === 'slot').map(({ text }) => readSlot(text)),
    cssParts: doc.tags.filter(({ tag }) => tag === 'csspart').map(({ text }) => readNamed(text)),
    cssProperties: doc.tags.filter(({ tag }) => tag === 'cssproperty').map(({ text }) => readNamed(text)),
    cssStates: doc.tags.filter(({ tag }) => tag === 'cssstate').map(({ text }) => readNamed(text)),
  };
}

function module(path: string, declarations: readonly ClassDeclaration[]): ManifestModule {
  return {
    kind: 'javascript-module',
    path: builtPath(path),
    declarations,
    exports: declarations.map(({ name }) => ({
      kind: 'js',
      name,
      declaration: { name, module: builtPath(path) },
    })),
  };
}

function builtPath(source: string): string {
  return source.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js');
}

function classesOf(path: string): ts.ClassDeclaration[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  return file.statements.filter(ts.isClassDeclaration);
}

function isExported(node: ts.ClassDeclaration): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function describeClass(declaration: ts.ClassDeclaration): ClassDeclaration {
  const name = declaration.name?.text;
  if (name === undefined) throw new Error('A class without a name');
  const parent = declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    ?.types[0];
  const superclass = parent?.expression.getText();
  return {
    kind: 'class',
    name,
    ...described(declaration),
    ...(superclass === undefined
      ? {}
      : { superclass: { name: superclass, ...(superclass === 'LitElement' ? { package: 'lit' } : {}) } }),
    members: declaration.members.flatMap(describeMember),
  };
}

/** Public members only: what is protected, private, inherited or for the element's own parts is nobody's business. */
function describeMember(member: ts.ClassElement): (Field | Method)[] {
  const has = (kind: ts.SyntaxKind) =>
    ts.canHaveModifiers(member) && (ts.getModifiers(member)?.some((each) => each.kind === kind) ?? false);
  const hidden =
    !member.name ||
    ts.isPrivateIdentifier(member.name) ||
    has(ts.SyntaxKind.ProtectedKeyword) ||
    has(ts.SyntaxKind.PrivateKeyword) ||
    has(ts.SyntaxKind.OverrideKeyword) ||
    readDoc(member).tags.some(({ tag }) => tag === 'internal');
  if (hidden) return [];
  const name = member.name.getText();
  if (ts.isMethodDeclaration(member)) {
    return [
      {
        kind: 'method',
        name,
        ...described(member),
        ...(has(ts.SyntaxKind.StaticKeyword) ? { static: true } : {}),
        ...(member.parameters.length > 0 ? { parameters: member.parameters.map(describeParameter) } : {}),
        return: { type: { text: member.type?.getText() ?? 'void' } },
      },
    ];
  }
  if (ts.isPropertyDeclaration(member) || ts.isGetAccessorDeclaration(member)) {
    const isReadonly = ts.isGetAccessorDeclaration(member) || has(ts.SyntaxKind.ReadonlyKeyword);
    return [
      {
        kind: 'field',
        name,
        ...described(member),
        ...(member.type ? { type: { text: plain(member.type.getText()) } } : {}),
        ...(isReadonly ? { readonly: true } : {}),
      },
    ];
  }
  return [];
}

function describeParameter(parameter: ts.ParameterDeclaration) {
  const value = parameter.initializer?.getText();
  const isOptional = parameter.questionToken !== undefined || value !== undefined;
  const text = parameter.type?.getText() ?? (value?.startsWith("'") === true ? 'string' : undefined);
  return {
    name: parameter.name.getText(),
    ...(text === undefined ? {} : { type: { text } }),
    ...(isOptional ? { optional: true as const } : {}),
    ...(value === undefined ? {} : { default: value }),
  };
}

interface ReactiveOption {
  /** Null for a property that has no attribute. */
  readonly attribute: string | null;
  readonly reflects: boolean;
}

/** Lit's `static properties`: which properties have an attribute, and which. */
function reactiveOptions(declaration: ts.ClassDeclaration): Map<string, ReactiveOption> {
  const properties = declaration.members
    .filter(ts.isPropertyDeclaration)
    .find((member) => member.name.getText() === 'properties')?.initializer;
  if (!properties || !ts.isObjectLiteralExpression(properties))
    throw new Error('The element has no static properties');
  return new Map(
    properties.properties.filter(ts.isPropertyAssignment).map((property) => {
      const name = property.name.getText();
      const settings = new Map(
        ts.isObjectLiteralExpression(property.initializer)
          ? property.initializer.properties
              .filter(ts.isPropertyAssignment)
              .map((setting) => [setting.name.getText(), setting.initializer])
          : [],
      );
      const attribute = settings.get('attribute');
      return [
        name,
        {
          attribute:
            attribute?.kind === ts.SyntaxKind.FalseKeyword
              ? null
              : attribute && ts.isStringLiteral(attribute)
                ? attribute.text
                : name.toLowerCase(),
          reflects: settings.get('reflect')?.kind === ts.SyntaxKind.TrueKeyword,
        },
      ];
    }),
  );
}

/** What the constructor gives the properties: `this.a = this.b = null` and the like. */
function constructorDefaults(declaration: ts.ClassDeclaration): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const names: string[] = [];
      let value: ts.Expression = node;
      while (ts.isBinaryExpression(value) && ts.isPropertyAccessExpression(value.left)) {
        names.push(value.left.name.text);
        value = value.right;
      }
      for (const name of names) found.set(name, value.getText());
    } else ts.forEachChild(node, visit);
  };
  const body = declaration.members.find(ts.isConstructorDeclaration)?.body;
  if (body) visit(body);
  return found;
}

interface Doc {
  readonly description: string;
  readonly tags: readonly { readonly tag: string; readonly text: string }[];
}

/** The last JSDoc block before a node, read line by line: TypeScript's own reader does not know these tags. */
function readDoc(node: ts.Node): Doc {
  const [, block] = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*$/.exec(leadingComments(node)) ?? [];
  const lines = (block ?? '').split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trim());
  const description: string[] = [];
  const tags: { tag: string; text: string }[] = [];
  for (const line of lines) {
    const [, tag, text] = /^@(\w+)\s*(.*)$/.exec(line) ?? [];
    const last = tags.at(-1);
    if (tag !== undefined) tags.push({ tag, text: text ?? '' });
    else if (line === '') continue;
    else if (last) last.text += ` ${line}`;
    else description.push(line);
  }
  return { description: description.join(' '), tags };
}

function leadingComments(node: ts.Node): string {
  return node.getSourceFile().text.slice(node.getFullStart(), node.getStart());
}

function described(node: ts.Node): { readonly description?: string } {
  const { description } = readDoc(node);
  return description === '' ? {} : { description };
}

function only(tags: Doc['tags'], name: string): string {
  const found = tags.find(({ tag }) => tag === name)?.text;
  if (found === undefined) throw new Error(`The element's JSDoc has no @${name}`);
  return found;
}

/** `{Type} name - Description` */
function readEvent(text: string): EventEntry {
  const [, type, name, description] = /^\{(\w+)\} (\S+) - (.+)$/.exec(text) ?? [];
  if (type === undefined || name === undefined || description === undefined)
    throw new Error(`Not an event: ${text}`);
  return { name, type: { text: type }, description };
}

/** `name - Description`, or `- Description` for the slot without a name. */
function readSlot(text: string): Described {
  return text.startsWith('- ') ? { name: '', description: text.slice(2) } : readNamed(text);
}

/** `name - Description`, or `[name=default] - Description` */
function readNamed(text: string): CssProperty {
  const [, bracketed, bare, description] = /^(?:\[([^\]]+)\]|(\S+)) - (.+)$/.exec(text) ?? [];
  const [name, value] = (bracketed ?? bare ?? '').split('=');
  if (name === undefined || name === '' || description === undefined)
    throw new Error(`Not described: ${text}`);
  return { name, description, ...(value === undefined ? {} : { default: value }) };
}

/** On one line, without the parentheses that only order a union. */
function plain(type: string): string {
  return type.replaceAll(/\s+/g, ' ');
}
