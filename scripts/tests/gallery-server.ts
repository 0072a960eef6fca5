import { createServer } from 'vite';

export interface GalleryServer {
  /** The gallery's page; what it shows is said by its query. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The gallery from its sources. Each user has a cache of its own, so that two never prepare dependencies in one folder. */
export async function startGallery(user: string): Promise<GalleryServer> {
  const server = await createServer({
    configFile: 'vite.config.ts',
    logLevel: 'error',
    cacheDir: `node_modules/.vite-${user}`,
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null, fs: { allow: [process.cwd()] } },
    // Found only when they are needed, they would load the page anew at that moment.
    optimizeDeps: { include: ['axe-core', 'qr-code-styling', 'lit', 'valibot'] },
  });
  await server.listen();
  return {
    url: new URL('gallery/index.html', server.resolvedUrls?.local[0]).href,
    close: () => server.close(),
  };
}
