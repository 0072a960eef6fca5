import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { run } from '../../scripts/tests/processes.js';

/** What is in the tarball, judged by itself. */

/** Runs it and returns what it printed; throws with that when it fails. */
export async function must(command: string, args: readonly string[], cwd = '.', env: NodeJS.ProcessEnv = {}) {
  const { code, output } = await run(command, args, { cwd, env });
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${output}`);
  return output;
}

export async function pack(folder: string): Promise<string> {
  console.log('Building and packing …');
  await must('npx', ['tsx', 'scripts/build.ts']);
  await must('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  assert.ok(name !== undefined, 'npm pack made no tarball');
  return join(folder, name);
}

async function unpack(tarball: string): Promise<string> {
  const folder = mkdtempSync(`${tarball}-`);
  await must('tar', ['-xzf', tarball, '-C', folder]);
  return join(folder, 'package');
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort();
}

export async function checkContents(tarball: string): Promise<void> {
  const folder = await unpack(tarball);
  const files = filesOf(folder);
  const allowed =
    /^(?:package\.json|README(?:\.es)?\.md|LICENSE|CHANGELOG\.md|docs\/.+|dist\/.+\.(?:js|d\.ts|json|txt|md)|dist\/pages\/.+\.(?:html|css))$/;
  assert.deepEqual(
    files.filter((file) => !allowed.test(file)),
    [],
    'nothing but what is built and documented',
  );
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
    bin: Record<string, string>;
    customElements: string;
    dependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  const targets = Object.values(about.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  for (const target of [...targets, ...Object.values(about.bin), about.customElements]) {
    const pattern = new RegExp(
      `^${target.replace(/^\.\//, '').replaceAll('.', '\\.').replace('*', '[^/]+')}$`,
    );
    assert.ok(
      files.some((file) => pattern.test(file)),
      `${target} is not shipped`,
    );
  }
  const known = Object.keys({ ...about.dependencies, ...about.peerDependencies });
  for (const file of files.filter((name) => /^dist\/(?!cdn\/).*\.(?:js|d\.ts)$/.test(name))) {
    // Comments may show how an entry is imported.
    const code = readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
    for (const [, name] of code.matchAll(
      /(?:\bfrom|^import|\bimport\() ?["']((?:@[\w-]+\/)?[\w-]+)[^"'\n]*["']/gm,
    ))
      assert.ok(name === 'node' || known.includes(name ?? ''), `${file} imports ${name}`);
  }
  const banks = JSON.parse(readFileSync(join(folder, 'dist/banks.json'), 'utf8')) as { code: string }[];
  assert.ok(
    banks.length > 30 && !banks.some(({ code }) => code === 'CO_BANKA'),
    'the banks of PSE, none for tests',
  );
  const licences = readFileSync(join(folder, 'dist/cdn/LICENSES.txt'), 'utf8');
  for (const name of ['lit-html', 'lean-qr']) assert.ok(licences.includes(name), `no licence of ${name}`);
  console.log(`  ${files.length} files, ${(statSync(tarball).size / 1e6).toFixed(2)} MB packed`);
}

export async function checkPublint(tarball: string): Promise<void> {
  const data = readFileSync(tarball);
  const { messages, pkg } = await publint({
    strict: true,
    pack: { tarball: new Uint8Array(data).buffer },
  });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg as Record<string, unknown>)),
    [],
  );
}

/** Of a package that is only ES modules: for Node's own resolution and for bundlers. */
export async function checkTypes(tarball: string): Promise<void> {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  assert.ok(result.types !== false, 'the package has no types');
  const ofOldWorlds = (problem: (typeof result.problems)[number]) =>
    problem.kind === 'CJSResolvesToESM' ||
    ('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind));
  assert.deepEqual(
    result.problems.filter((problem) => !ofOldWorlds(problem)),
    [],
  );
}

/** The tags in the documentation are those of this very build. */
export async function checkDocs(tarball: string): Promise<void> {
  const cdn = join(await unpack(tarball), 'dist/cdn');
  const tags = readFileSync(join(cdn, 'README.md'), 'utf8');
  const shown = tags.matchAll(/\/([\w.-]+\.js)"(?::|\s+integrity=)\s*"(sha384-[^"]+)"/g);
  const built = filesOf(cdn).filter((name) => name.endsWith('.js'));
  assert.deepEqual(
    [...shown].map(([, name, hash]) => `${name} ${hash}`).sort(),
    built
      .map((name) => {
        const hash = createHash('sha384')
          .update(readFileSync(join(cdn, name)))
          .digest('base64');
        return `${name} sha384-${hash}`;
      })
      .sort(),
  );
}

/** The same files in another folder build the same bytes. */
export async function checkReproducible(tarball: string, folder: string): Promise<void> {
  const first = join(await unpack(tarball), 'dist');
  const copy = join(folder, 'copy');
  const sources = await must('git', ['ls-files', '--cached', '--others', '--exclude-standard']);
  for (const file of sources.trim().split('\n')) cpSync(file, join(copy, file));
  await must('cp', ['-r', 'node_modules', copy]);
  await must('npx', ['tsx', 'scripts/build.ts'], copy);
  const again = join(copy, 'dist');
  assert.deepEqual(filesOf(again), filesOf(first));
  for (const file of filesOf(first))
    assert.ok(readFileSync(join(first, file)).equals(readFileSync(join(again, file))), `${file} differs`);
}
