import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './command.js';

export type Flags = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/**
 * Reads flags strictly, as `--name value` or `--name=value`. `parseArgs` does the reading; what is wrong is said
 * here, because its own messages suggest escapes nobody typed and never the flag that was meant.
 */
export function readFlags(args: readonly string[], options: FlagList): Flags {
  return readArguments(args, options, 0).flags;
}

type FlagList = NonNullable<ParseArgsConfig['options']>;

/** The same for a command that also takes words, such as an address; more than `most` of them are refused. */
export function readArguments(
  args: readonly string[],
  options: FlagList,
  most: number,
): { readonly flags: Flags; readonly words: readonly string[] } {
  const {
    values,
    tokens,
    positionals: words,
  } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) throw new UsageError(unknownFlag(token.rawName, Object.keys(options)));
    if (option.type === 'string' && (token.value === undefined || token.value === '')) {
      throw new UsageError(`--${token.name} needs a value.`);
    }
    if (option.type === 'boolean' && token.value !== undefined) {
      throw new UsageError(`--${token.name} takes no value.`);
    }
    if (seen.has(token.name) && option.multiple !== true)
      throw new UsageError(`--${token.name} was given twice.`);
    seen.add(token.name);
  }
  const tooMany = words[most];
  if (tooMany !== undefined) throw new UsageError(`Unexpected argument "${tooMany}".`);
  return { flags: values, words };
}

export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** All values of a flag that may be given several times. */
export function textsFlag(flags: Flags, name: string): readonly string[] {
  return [flags[name] ?? []].flat().filter((value) => typeof value === 'string');
}

export function portFlag(flags: Flags, name: string): number | undefined {
  const value = textFlag(flags, name);
  if (value === undefined) return undefined;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : -1;
  if (port < 0 || port > 65_535)
    throw new UsageError(`--${name} is a number from 0 to 65535, not "${value}".`);
  return port;
}

export function webAddressFlag(flags: Flags, name: string): string | undefined {
  const value = textFlag(flags, name);
  return value === undefined ? undefined : addressArgument(`--${name}`, value);
}

/** The address itself, or an explanation that names where it was given. */
export function addressArgument(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(`${name} is an address that begins with http:// or https://, not "${value}".`);
  }
  return value;
}

/** One of a few words; the first of them when the flag is absent. */
export function choiceFlag<const Choice extends string>(
  flags: Flags,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = textFlag(flags, name);
  if (value === undefined) return choices[0];
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new UsageError(`--${name} is ${choices.join(' or ')}, not "${value}".`);
  return found;
}

function unknownFlag(flag: string, names: readonly string[]): string {
  const near = nearest(flag.replace(/^-+/, ''), names);
  return `Unknown flag ${flag}.${near === undefined ? '' : ` Did you mean --${near}?`}`;
}

/** The name a typo most likely meant, or undefined when nothing is close. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const word = typed.toLowerCase().slice(0, 40);
  const ranked = names
    .map((name) => ({ name, distance: name.startsWith(word) && word !== '' ? 0 : distance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

/** Edits between two words, counting two swapped neighbours as one, which is how most typos look. */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      const above = rows[i - 1] ?? [];
      let best = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? 0;
}
