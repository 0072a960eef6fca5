import type { SchemaText } from './openapi-properties.js';

/** Gives every property of JSON schemas its description and its example. */

interface Node {
  readonly [key: string]: unknown;
}

/** A property of a schema, wherever in it. */
export interface Property {
  readonly schema: string;
  /** Its own name, after those of the properties around it. */
  readonly path: string;
  readonly node: Record<string, unknown>;
}

export function propertiesOf(schemas: object): Property[] {
  return Object.entries(schemas).flatMap(([schema, node]) => walk(schema, '', node));
}

function walk(schema: string, path: string, node: unknown): Property[] {
  if (Array.isArray(node)) return node.flatMap((each) => walk(schema, path, each));
  if (typeof node !== 'object' || node === null) return [];
  const { properties, anyOf, oneOf, items } = node as Node;
  const own = Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>).flatMap(
    ([name, property]) => {
      const inside = path === '' ? name : `${path}.${name}`;
      return [{ schema, path: inside, node: property }, ...walk(schema, inside, property)];
    },
  );
  return [...own, ...[anyOf, oneOf, items].flatMap((each) => walk(schema, path, each))];
}

/** Writes the texts into the schemas. Throws when a property has none, or a text has no property. */
export function describeProperties(schemas: object, texts: Readonly<Record<string, SchemaText>>): void {
  const unused = new Set(
    Object.entries(texts).flatMap(([schema, text]) => Object.keys(text).map((path) => `${schema}.${path}`)),
  );
  const missing: string[] = [];
  for (const { schema, path, node } of propertiesOf(schemas)) {
    const text = texts[schema]?.[path];
    const example = 'const' in node ? node['const'] : text?.example;
    if (text === undefined || example === undefined) missing.push(`${schema}.${path}`);
    else Object.assign(node, { description: text.description, examples: [example] });
    unused.delete(`${schema}.${path}`);
  }
  if (missing.length > 0) throw new Error(`scripts/docs/openapi-properties.ts lacks ${missing.join(', ')}`);
  if (unused.size > 0)
    throw new Error(
      `scripts/docs/openapi-properties.ts describes what is not there: ${[...unused].join(', ')}`,
    );
}
