import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import prettier from 'prettier';
import { type Described, type ElementDeclaration, makeManifest, type Method } from '../build/manifest.js';

/** docs/reference.md, from the manifest: the class's JSDoc is the only place where any of it is written. */

export const REFERENCE_FILE = 'docs/reference.md';

export async function referenceText(): Promise<string> {
  const { modules } = makeManifest();
  const declarations = modules.flatMap((module) => module.declarations ?? []);
  const element = declarations.find((each): each is ElementDeclaration => 'customElement' in each);
  if (!element) throw new Error('The manifest has no element');
  const fieldsOf = (name: string) => {
    const found = declarations.find((each) => each.name === name);
    const fields = (found?.members ?? []).filter((member) => member.kind === 'field');
    return fields
      .map((field) => `\`${field.name}\`${field.description ? ` (${lower(field.description)})` : ''}`)
      .join(', ');
  };
  const fields = element.members.filter((member) => member.kind === 'field');
  const settable = fields.filter((field) => field.readonly !== true);
  const methods = element.members.filter((member) => member.kind === 'method');
  const page = `# Reference

Every attribute, property, event, method, part, slot and custom property of \`<pay-checkout>\`. Made from its class by \`tsx scripts/docs/reference.ts\`; editors read the same from \`pay-checkout/custom-elements.json\`.

${element.description ?? ''}

## Attributes and properties

An attribute sets the property of the same name; those without an attribute are set by script.

${table(
  ['attribute', 'property', 'type', 'meaning'],
  settable.map((field) => [
    code(field.attribute),
    code(field.name),
    code(field.type?.text),
    field.description ?? '',
  ]),
)}

Read only:

${table(
  ['property', 'type', 'meaning'],
  fields
    .filter((field) => field.readonly)
    .map((field) => [code(field.name), code(field.type?.text), field.description ?? '']),
)}

## Methods

${table(
  ['method', 'meaning'],
  methods.map((method) => [code(signature(method)), method.description ?? '']),
)}

## Events

All bubble and are composed. An event is a hint to the page and never proof of a payment: goods ship on the server's word.

${table(
  ['event', 'class', 'fields', 'when'],
  element.events.map((event) => [
    code(event.name),
    code(event.type.text),
    fieldsOf(event.type.text),
    event.description ?? '',
  ]),
)}

## Slots

${table(
  ['slot', 'content'],
  element.slots.map((slot) => [slot.name === '' ? '(default)' : code(slot.name), slot.description ?? '']),
)}

## Parts

To be styled as \`pay-checkout::part(name)\`.

${described(element.cssParts)}

## Custom properties

${table(
  ['property', 'default', 'meaning'],
  element.cssProperties.map((each) => [code(each.name), code(each.default), each.description ?? '']),
)}

Colours without a default follow \`color-scheme\`; [theming.md](theming.md) shows them.

## States

\`pay-checkout:state(name)\`:

${described(element.cssStates)}
`;
  const options = (await prettier.resolveConfig(REFERENCE_FILE)) ?? {};
  return prettier.format(page, { ...options, parser: 'markdown' });
}

function described(list: readonly Described[]): string {
  return table(
    ['name', 'meaning'],
    list.map(({ name, description }) => [code(name), description ?? '']),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `\`${text}\``;
}

function lower(sentence: string): string {
  return (sentence.charAt(0).toLowerCase() + sentence.slice(1)).replace(/\.$/, '');
}

function signature({ name, parameters = [], static: isStatic }: Method): string {
  const list = parameters.map(
    (each) => `${each.name}${each.optional || each.default !== undefined ? '?' : ''}`,
  );
  return `${isStatic ? 'PayCheckoutElement.' : ''}${name}(${list.join(', ')})`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const text = await referenceText();
  if (readFileSync(REFERENCE_FILE, { encoding: 'utf8', flag: 'a+' }) !== text)
    writeFileSync(REFERENCE_FILE, text);
}
