/** The value of a JSON text, frozen, because all readers share it. */
export function frozenJson(text: string): unknown {
  return frozen(JSON.parse(text) as unknown);
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
