import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { browserTarget, buildModule, minified } from '../../../scripts/build/cdn.js';
import { isOurs, type Contender } from './contenders.js';

const PEERS = fileURLToPath(new URL('peers', import.meta.url));

export interface File {
  readonly body: Buffer;
  readonly type: string;
}

/** What a page loads, compressed with brotli, by name. */
export type Files = ReadonlyMap<string, File>;

/** Installs what the lockfile of the peers' own folder says, once. */
export function installPeers(): void {
  if (existsSync(join(PEERS, 'node_modules'))) return;
  console.error('  installing the peers into test/bench/browser/peers');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: PEERS,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export function versionOf({ package: name }: Contender): string {
  if (name === undefined) return '';
  const path = join(PEERS, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

/**
 * One setting for all: Vite with the minifier and the engines that the widget is built with. The widget itself is what
 * pages without a bundler load; the page built here only shows it.
 */
export async function buildPage(contender: Contender, folder: string): Promise<Files> {
  const { page } = contender;
  const outDir = join(folder, page);
  const before = process.env['NODE_ENV'];
  await build({
    root: PEERS,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      target: browserTarget,
      cssCodeSplit: false,
      copyPublicDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: { page: join(PEERS, `${page}.js`) },
        output: {
          ...minified,
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          assetFileNames: '[name][extname]',
        },
      },
    },
  });
  const ours = isOurs(contender) ? await buildModule() : [];
  // Vite leaves it at production, where the sandbox refuses to start.
  if (before === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = before;
  return new Map([
    ...readdirSync(outDir)
      .filter((file) => extname(file) in TYPES)
      .map((file) => [file, fileOf(file, readFileSync(join(outDir, file)))] as const),
    ...ours.map((file) => [file.name, fileOf(file.name, Buffer.from(file.code))] as const),
  ]);
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

function fileOf(name: string, content: Buffer): File {
  return { body: brotliCompressSync(content), type: TYPES[extname(name)] ?? '' };
}
