import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './command.js';

type FlagList = NonNullable<ParseArgsConfig['options']>;

/** What was typed, each flag by the type that its command declares. `main` answers --help. */
export type FlagsOf<List extends FlagList> = ReturnType<typeof parseArgs<{ options: List }>>['values'];

/** Flags of which one is a text. */
type WithText<Name extends string> = { readonly [Each in Name]?: string | undefined };

/** Reads the flags of a command; a flag it does not know, or one without its value, is refused. */
export function readFlags<List extends FlagList>(args: readonly string[], options: List): FlagsOf<List> {
  return readArguments(args, options, 0).flags;
}

/** The same for a command that also takes words, such as an address; more than `most` of them are refused. */
export function readArguments<List extends FlagList>(
  args: readonly string[],
  options: List,
  most: number,
): { readonly flags: FlagsOf<List>; readonly words: readonly string[] } {
  try {
    const { values, positionals: words } = parseArgs({
      args: [...args],
      options,
      allowPositionals: most > 0,
    });
    const tooMany = words[most];
    if (tooMany !== undefined) throw new UsageError(`Unexpected argument '${tooMany}'.`);
    const empty = Object.entries(values).find(([, value]) => [value].flat().includes(''));
    if (empty) throw new UsageError(`--${empty[0]} needs a value.`);
    return { flags: values, words };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's first sentence says what is wrong; the others suggest ways of quoting that rarely help.
    const [sentence] = error.message.split(/\.?(?:\n|$)|\. /);
    throw new UsageError(`${sentence}.`);
  }
}

export function portFlag<Name extends string>(flags: WithText<Name>, name: Name): number | undefined {
  const value = flags[name];
  if (value === undefined) return undefined;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : -1;
  if (port < 0 || port > 65_535)
    throw new UsageError(`--${name} is a number from 0 to 65535, not "${value}".`);
  return port;
}

export function webAddressFlag<Name extends string>(flags: WithText<Name>, name: Name): string | undefined {
  const value = flags[name];
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
export function choiceFlag<Name extends string, const Choice extends string>(
  flags: WithText<Name>,
  name: Name,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = flags[name];
  if (value === undefined) return choices[0];
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new UsageError(`--${name} is ${choices.join(' or ')}, not "${value}".`);
  return found;
}
