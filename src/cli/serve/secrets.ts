import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { equalInConstantTime } from '../../contract/constant-time.js';
import { CommandError } from '../command.js';

/** A secret in the config file: itself, several, or a file with one on each line. The first is used, all are accepted. */
export const SecretSchema = v.union([
  v.pipe(v.string(), v.minLength(1), v.maxLength(4096)),
  v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(4096))), v.minLength(1), v.maxLength(8)),
  v.strictObject({ file: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)) }),
]);

export type SecretSource = v.InferOutput<typeof SecretSchema>;

export type Secrets = readonly [string, ...string[]];

export interface SecretRule {
  readonly shortest: number;
  readonly longest: number;
  readonly most?: number;
}

/** @throws CommandError that names the secret and says what is wrong, and never shows it. */
export async function readSecrets(name: string, source: SecretSource, rule: SecretRule): Promise<Secrets> {
  const given =
    typeof source === 'string' ? [source] : 'file' in source ? await lines(name, source.file) : source;
  const { shortest, longest, most = 8 } = rule;
  const [first, ...others] = given;
  if (first === undefined) throw new CommandError(`${name}: the file holds no secret`);
  if (given.length > most) throw new CommandError(`${name}: at most ${most} are taken`);
  if (given.some(({ length }) => length < shortest || length > longest)) {
    throw new CommandError(`${name}: must be ${shortest} to ${longest} characters`);
  }
  return [first, ...others];
}

async function lines(name: string, file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new CommandError(`${name}: ${file} could not be read (${code})`);
  });
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Whether the header is `Bearer` and one of the secrets. All are compared, so that the time does not tell which. */
export async function isBearer(
  header: string | null | undefined,
  secrets: readonly string[],
): Promise<boolean> {
  const matches = await Promise.all(
    secrets.map((secret) => equalInConstantTime(header ?? '', `Bearer ${secret}`)),
  );
  return matches.includes(true);
}
