import type { ElementDeclaration } from './manifest.js';

/** What VS Code completes and explains in HTML and CSS, once a project's settings name these files. */

interface EditorData {
  readonly html: object;
  readonly css: object;
}

/** Values that an attribute takes; all others are free text, or there or not. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  rails: ['BRE_B', 'PSE', 'BRE_B PSE', 'PSE BRE_B'],
  'key-type': ['QR_CODE', 'SINGLE_USE'],
  currency: ['COP'],
  locale: ['es', 'en'],
};

export function makeEditorData(element: ElementDeclaration): EditorData {
  const { tagName, summary, attributes, slots, events, cssParts, cssProperties } = element;
  const list = (title: string, lines: readonly string[]) => `\n\n${title}\n${lines.join('\n')}`;
  const named = ({ name, description }: { name: string; description?: string }) =>
    `- \`${name === '' ? '(default)' : name}\`: ${description ?? ''}`;
  return {
    html: {
      version: 1.1,
      tags: [
        {
          name: tagName,
          description: {
            kind: 'markdown',
            value: `${summary}${list('**Slots**', slots.map(named))}${list('**Events**', events.map(named))}`,
          },
          attributes: attributes.map(({ name, description, type }) => ({
            name,
            ...(description === undefined ? {} : { description }),
            ...(type?.text === 'boolean' ? { valueSet: 'v' } : {}),
            ...(VALUES[name] ? { values: VALUES[name].map((value) => ({ name: value })) } : {}),
          })),
        },
      ],
    },
    css: {
      version: 1.1,
      properties: cssProperties.map(({ name, description, default: value }) => ({
        name,
        description: `${description ?? ''}${value === undefined ? '' : ` Default: ${value}.`}`,
      })),
      pseudoElements: cssParts.map(({ name, description }) => ({
        name: `::part(${name})`,
        ...(description === undefined ? {} : { description }),
      })),
    },
  };
}
