/**
 * The package as it is released: built, packed, judged, installed into empty projects, and paid in each with a real
 * browser. It installs other packages, so it needs the registry.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { run } from '../../scripts/tests/processes.js';
import { FIXTURES, type FixtureName } from './fixtures.js';
import { payInFixture } from './fixture-project.js';
import {
  compilesWithOldTypeScript,
  OLDEST_TYPESCRIPT,
  refusesOldDriver,
  refusesOldReact,
} from './older-neighbours.js';
import { liveDayOne } from './day-one.js';
import { followQuickStart } from './quick-start.js';
import { checkContents, checkDocs, checkPublint, checkReproducible, checkTypes, pack } from './tarball.js';
import { skipWhen } from '../support/skip-when.js';

const { code } = await run('npm', ['view', 'react', 'version']);
const skip = code === 0 ? false : 'the registry of packages cannot be reached';

describe('the packed package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-package-'));
  let tarball: string;
  beforeAll(async () => {
    tarball = await pack(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has what it promises and nothing else', () => checkContents(tarball));
  it('is well formed for publint', () => checkPublint(tarball));
  it('has types that every way of importing finds', () => checkTypes(tarball));
  it('is the one whose tags the documentation shows', () => checkDocs(tarball));
  it('is the same byte for byte from another folder', () => checkReproducible(tarball, folder));
  for (const name of Object.keys(FIXTURES) as FixtureName[]) {
    it(`installs and sells in a project with ${name}`, skipWhen(skip), () =>
      payInFixture(name, { tarball, folder: join(folder, name.replaceAll(' ', '-')) }),
    );
  }
  it('says which React its wrapper needs beside an older one', skipWhen(skip), () =>
    refusesOldReact(tarball, join(folder, 'old-react')),
  );
  it('says which driver serve needs beside an older one', skipWhen(skip), () =>
    refusesOldDriver(tarball, join(folder, 'old-driver')),
  );
  it(`has types that TypeScript ${OLDEST_TYPESCRIPT} takes, libraries checked`, skipWhen(skip), () =>
    compilesWithOldTypeScript(tarball, join(folder, 'old-typescript')),
  );
  it('does what the quick start says, to the letter', skipWhen(skip), () =>
    followQuickStart(tarball, join(folder, 'quick-start')),
  );
  it('takes a shop through its first day: init, a payment, the console, a refund', skipWhen(skip), () =>
    liveDayOne(tarball, join(folder, 'day-one')),
  );
});
