import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';

const { options, ...ruleSet } = await extractDepcruiseConfig(resolve('.dependency-cruiser.mjs'));

/** The rules that are broken in the folder, each with the import that breaks it. */
export async function breaches(baseDir: string): Promise<string[]> {
  const folders = ['src', 'demo'].filter((folder) => existsSync(join(baseDir, folder)));
  const { output } = await cruise(folders, {
    ...options,
    ruleSet,
    validate: true,
    baseDir,
  });
  const { violations } = (output as ICruiseResult).summary;
  return violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}
