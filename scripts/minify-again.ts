import { minify } from 'terser';
import type { Rolldown } from 'vite';

/** The bundler's minifier leaves a hundredth that a slower one finds. The first comment stays: it names the licences. */
export function minifyAgain(): Rolldown.Plugin {
  return {
    name: 'minify-again',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        for (const chunk of chunks) {
          const { code, map } = await minify(importsLast(chunk.code), {
            module: true,
            ecma: 2020,
            compress: { ecma: 2020, unsafe_arrows: true, pure_getters: true, keep_fargs: false },
            format: { ecma: 2020, comments: /^!/ },
            ...(chunk.map && { sourceMap: { content: JSON.stringify(chunk.map), asObject: true } }),
          });
          if (code === undefined) throw new Error(`${chunk.fileName} could not be minified`);
          chunk.code = code;
          if (chunk.map) chunk.map = map as unknown as Rolldown.SourceMap;
        }
        const codes = sameNames(new Map(chunks.map(({ fileName, code }) => [fileName, code])));
        for (const chunk of chunks) chunk.code = codes.get(chunk.fileName) ?? chunk.code;
      },
    },
  };
}

const HEAD = /^(\/\*!.*?\*\/\s*)?((?:import\{[^}]*\}from"\.\/[^"]+";)+)/;

/** Where a statement stands that imports is all the same, and at the end it can change without moving what is mapped. */
function importsLast(code: string): string {
  const [head = '', banner = '', imports = ''] = HEAD.exec(code) ?? [];
  return `${banner}${' '.repeat(imports.length)}${code.slice(head.length)}\n${imports}`;
}

const EXPORTS = /\bexport\{([^}]*)\}/;
const IMPORTS = /\bimport\{([^}]*)\}from"\.\/([^"]+)"/g;
/** The bundler makes up names of a letter or two for what only its own chunks take from each other. */
const MADE_UP = /^[\w$]{1,2}$/;

/**
 * Chunks that take something from another ask for it by the name that it has there: `export{Q}` costs less than
 * `export{Q as e}`.
 */
export function sameNames(codes: ReadonlyMap<string, string>): Map<string, string> {
  const namesOf = new Map<string, Map<string, string>>();
  const exporting = new Map<string, string>();
  for (const [file, code] of codes) {
    const names = new Map<string, string>();
    namesOf.set(file, names);
    const shorter = code.replace(EXPORTS, (_, list: string) => {
      const kept = pairs(list).map(([local, name]) => {
        if (!MADE_UP.test(name)) return pair(local, name);
        names.set(name, local);
        return local;
      });
      return `export{${kept.join(',')}}`;
    });
    exporting.set(file, shorter);
  }
  return new Map(
    [...exporting].map(([file, code]) => [
      file,
      code.replace(IMPORTS, (_, list: string, from: string) => {
        const named = pairs(list).map(([name, local]) => pair(namesOf.get(from)?.get(name) ?? name, local));
        return `import{${named.join(',')}}from"./${from}"`;
      }),
    ]),
  );
}

function pairs(list: string): [string, string][] {
  return list
    .split(',')
    .filter(Boolean)
    .map((each) => {
      const [first = '', second = first] = each.split(' as ');
      return [first, second];
    });
}

function pair(first: string, second: string): string {
  return first === second ? first : `${first} as ${second}`;
}
