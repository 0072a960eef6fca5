import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import prettier from 'prettier';
import type { ClassMethod } from 'custom-elements-manifest';
import { classesOf, elementOf, fieldsOf, makeManifest, methodsOf } from '../build/manifest.js';

/** docs/reference.md, from the manifest: the class's JSDoc is the only place where any of it is written. */

export const REFERENCE_FILE = 'docs/reference.md';

export async function referenceText(): Promise<string> {
  const manifest = await makeManifest();
  const element = elementOf(manifest);
  const eventFields = (name: string) => {
    const found = classesOf(manifest).filter((each) => each.name === name);
    return found.flatMap(fieldsOf);
  };
  /** Several events have the same fields: each is explained once. */
  const explained = new Map(
    element.events
      .flatMap(({ type }) => eventFields(type.text))
      .flatMap(({ name, description }) => (description ? [[name, description] as const] : [])),
  );
  const fields = fieldsOf(element);
  const settable = fields.filter((field) => field.readonly !== true);
  const page = `# Reference

Everything that a page can set, call, hear and style on \`<pay-checkout>\`. Editors read the same from \`pay-checkout/custom-elements.json\`.

## Attributes and properties

A script sets what has no attribute.

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
  methodsOf(element).map((method) => [code(signature(method)), method.description ?? '']),
)}

## Events

All events bubble and are composed. An event is a hint to the page and never proof of a payment: ship on the server's \`onConfirmed\`.

${table(
  ['event', 'class', 'fields', 'when'],
  element.events.map((event) => [
    code(event.name),
    code(event.type.text),
    eventFields(event.type.text)
      .map(({ name }) => code(name))
      .join(', '),
    event.description ?? '',
  ]),
)}

${[...explained].map(([name, meaning]) => `- \`${name}\`: ${lower(meaning)}.`).join('\n')}

## Slots

${table(
  ['slot', 'content'],
  element.slots.map((slot) => [slot.name === '' ? '(default)' : code(slot.name), slot.description ?? '']),
)}

## Parts

Style them as \`pay-checkout::part(name)\`.

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

${ACCESSIBILITY}`;
  const options = (await prettier.resolveConfig(REFERENCE_FILE)) ?? {};
  return prettier.format(page, { ...options, parser: 'markdown' });
}

const ACCESSIBILITY = `## Accessibility

\`<pay-checkout>\` aims at WCAG 2.2, level AA, in Spanish and English. Tests hold each of these:

- axe finds no violation on any screen, in both languages, light and dark.
- The element fits 280 px, and 320 px with text twice as large. Every control is at least 44 px.
- Focus moves to a new screen's title when its button goes, and is never taken from the rest of the page.
- A modal checkout is a native dialog. Escape closes it, after a question when a payment is open.
- One polite live region announces each screen, notice and outcome once, in the page's language.
- Roles, names, states and their order are the same in three engines.
- The list of banks is a combobox for the keyboard. Errors stand at their field.
- A camera can read the QR, which also opens full screen. The key and the amount stand beside it as text to copy.

High contrast, reduced motion and print have styles that no test looks at. Check the contrast of the colours that you set yourself. If something does not work with your assistive technology, open an issue that names both: it is a defect.
`;

function described(list: readonly { readonly name: string; readonly description?: string }[]): string {
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

function signature({ name, parameters = [], static: isStatic }: ClassMethod): string {
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
