import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, createServer, preview, type ProxyOptions } from 'vite';
import { offerInPage } from './offer-in-page.js';
import { announceReady, receiveSettings } from './settings.js';

/** The pages: from their sources with reloading, or built. Calls to the shop's backend go through here, same origin. */
const settings = receiveSettings();
const { host, sitePort: port, backendPort, tls, dataDir } = settings;

/** The way between two servers of the shop. */
const backendUrl = `http://127.0.0.1:${backendPort}`;
const toBackend: ProxyOptions = {
  target: backendUrl,
  configure: (proxy) => {
    // Vite leaves a page's stream open when the backend's end of it is gone, and the page would not notice.
    proxy.on('proxyRes', (answer, _request, response) => {
      answer.on('close', () => {
        if (!answer.complete) response.destroy();
      });
    });
  },
};
const plugins = [offerInPage(backendUrl)];
const listening = {
  host,
  port,
  strictPort: true,
  allowedHosts: true as const,
  cors: false,
  proxy: { '/api/': toBackend, '/console/api/': toBackend, '/checkout/': toBackend },
  ...(tls ? { https: { key: tls.key, cert: tls.cert } } : {}),
};
const root = join(import.meta.dirname, '../..');
const configFile = join(root, 'vite.config.ts');

/** While the backend is down every proxied call fails, and the terminal already says so. */
const customLogger = createLogger('warn');
const tellError = customLogger.error.bind(customLogger);
customLogger.error = (message, options) => {
  if (!message.includes('http proxy error')) tellError(message, options);
};

/** What a careful shop sends with its pages. The dev server cannot: it injects its own scripts and styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

if (settings.builtPages !== null) {
  if (!existsSync(join(settings.builtPages, 'index.html'))) {
    process.stderr.write(`There are no built pages in ${settings.builtPages}: run npm run build first.\n`);
    process.exit(1);
  }
  const server = await preview({
    configFile,
    customLogger,
    plugins,
    mode: 'demo',
    build: { outDir: settings.builtPages },
    preview: { ...listening, headers: { 'content-security-policy': POLICY } },
  });
  announceReady(() => server.close());
} else {
  const server = await createServer({
    configFile,
    customLogger,
    plugins,
    // Beside the data, so that two demos never prepare their dependencies in one folder.
    cacheDir: join(dataDir, 'vite'),
    server: { ...listening, fs: { allow: [join(dataDir, 'vite')] } },
  });
  await server.listen();
  announceReady(() => server.close());
}
