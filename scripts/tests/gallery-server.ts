import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build, preview } from 'vite';
import { browserTarget } from '../build/cdn.js';
import { inOwnMode } from '../build/own-mode.js';

export interface GalleryServer {
  /** The gallery's page; what it shows is said by its query. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The gallery, built: a visit asks for a few files, where its sources are a hundred. */
export async function startGallery(): Promise<GalleryServer> {
  const outDir = mkdtempSync(join(tmpdir(), 'pay-checkout-gallery-'));
  const config = { configFile: false, root: resolve('demo'), logLevel: 'error' } as const;
  const input = resolve('demo/gallery/index.html');
  await inOwnMode(() =>
    build({
      ...config,
      build: { outDir, target: browserTarget, assetsInlineLimit: 0, rolldownOptions: { input } },
    }),
  );
  const server = await preview({ ...config, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  return {
    url: new URL('gallery/index.html', server.resolvedUrls?.local[0]).href,
    close: async () => {
      await server.close();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
