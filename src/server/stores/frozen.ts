/** The same body is handed to everybody who asks, so nobody may change it. */
export function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) frozen(each);
    Object.freeze(value);
  }
  return value;
}
