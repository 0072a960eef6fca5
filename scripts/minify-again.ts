import { minify } from 'terser';
import type { Rolldown } from 'vite';

/** The bundler's minifier leaves a hundredth that a slower one finds. The first comment stays: it names the licences. */
export function minifyAgain(): Rolldown.Plugin {
  return {
    name: 'minify-again',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          const { code, map } = await minify(file.code, {
            module: true,
            ecma: 2020,
            compress: { ecma: 2020, unsafe_arrows: true, pure_getters: true, keep_fargs: false },
            format: { ecma: 2020, comments: /^!/ },
            ...(file.map && { sourceMap: { content: JSON.stringify(file.map), asObject: true } }),
          });
          if (code === undefined) throw new Error(`${file.fileName} could not be minified`);
          file.code = code;
          if (file.map) file.map = map as unknown as Rolldown.SourceMap;
        }
      },
    },
  };
}
