import type { Plugin } from 'vite';
import { buildClassic, type BuiltFile, CLASSIC_FILE, integrityOf } from './build/cdn.js';

/** Serves the classic file beside demo/cdn as a CDN would, built when it is first asked for, and its hash in the page. */
export function demoCdn(): Plugin {
  let built: Promise<BuiltFile> | undefined;
  const classic = () => (built ??= buildClassic());
  return {
    name: 'demo-cdn',
    configureServer({ middlewares, watcher }) {
      watcher.on('change', () => (built = undefined));
      middlewares.use(`/cdn/${CLASSIC_FILE}`, (_request, response, next) => {
        classic().then(({ code }) => {
          response.setHeader('content-type', 'text/javascript');
          response.end(code);
        }, next);
      });
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes('%CLASSIC_FILE%')) return html;
        const { code } = await classic();
        return html
          .replaceAll('%CLASSIC_FILE%', CLASSIC_FILE)
          .replaceAll('%CLASSIC_INTEGRITY%', integrityOf(code));
      },
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: `cdn/${CLASSIC_FILE}`, source: (await classic()).code });
    },
  };
}
