import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preview } from 'vite';
import { browserTarget } from '../build/cdn.js';
import { build } from '../build/own-mode.js';

export interface GalleryServer {
  /** The gallery's page; what it shows is said by its query. */
  readonly url: string;
  /** The address of one of the other modules, for the page to import. */
  readonly module: (name: string) => string;
  readonly close: () => Promise<void>;
}

/**
 * The gallery, built: a visit asks for a few files, where its sources are a hundred. Other modules, by the names they
 * get, are there for a test to look into the page with.
 */
export async function startGallery(others: Readonly<Record<string, URL>> = {}): Promise<GalleryServer> {
  const outDir = mkdtempSync(join(tmpdir(), 'pay-checkout-gallery-'));
  const config = { configFile: false, root: resolve('demo'), logLevel: 'error' } as const;
  const input: Record<string, string> = { gallery: resolve('demo/gallery/index.html') };
  for (const [name, source] of Object.entries(others)) input[name] = fileURLToPath(source);
  await build({
    ...config,
    build: {
      outDir,
      target: browserTarget,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input,
        preserveEntrySignatures: 'exports-only',
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  const server = await preview({ ...config, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  const at = (path: string) => new URL(path, server.resolvedUrls?.local[0]).href;
  return {
    url: at('gallery/index.html'),
    module: (name) => at(`${name}.js`),
    close: async () => {
      await server.close();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
