import { join } from 'node:path';
import { createServer, preview, type ProxyOptions } from 'vite';
import { announceReady, receiveSettings } from './settings.js';

/** The pages: from their sources with reloading, or built. Calls to the shop's backend go through here, same origin. */
const settings = receiveSettings();
const { host, sitePort: port, backendPort, tls } = settings;

const toBackend: ProxyOptions = { target: `http://127.0.0.1:${backendPort}` };
const listening = {
  host,
  port,
  strictPort: true,
  allowedHosts: true as const,
  proxy: { '/api': toBackend, '/checkout': toBackend },
  ...(tls ? { https: { key: tls.key, cert: tls.cert } } : {}),
};
const configFile = join(import.meta.dirname, '../../vite.config.ts');

if (settings.built) {
  const server = await preview({ configFile, mode: 'demo', preview: listening });
  announceReady(() => server.close());
} else {
  const server = await createServer({ configFile, server: listening });
  await server.listen();
  announceReady(() => server.close());
}
