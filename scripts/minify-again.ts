import { type CompressOptions, minify } from 'terser';
import type { Rolldown } from 'vite';

/**
 * The bundler's minifier leaves a hundredth that a slower one finds, and gives what chunks share another name in each
 * of them. The first comment stays: it names the licences.
 */
export function minifyAgain(): Rolldown.Plugin {
  return {
    name: 'minify-again',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const shared: SharedNames = new Map();
        for (const chunk of importedFirst(Object.values(bundle).filter((file) => file.type === 'chunk'))) {
          const { fileName, code, map } = chunk;
          const smaller = await minified(fileName, code, shared, map && JSON.stringify(map));
          chunk.code = smaller.code;
          if (map) chunk.map = smaller.map as Rolldown.SourceMap;
        }
      },
    },
  };
}

/** Shorter is not smaller: statements that look alike compress better than what is joined or turned round. */
const COMPRESS: CompressOptions = {
  ecma: 2020,
  // The fifth finds nothing more.
  passes: 4,
  keep_fargs: false,
  pure_getters: true,
  unsafe_arrows: true,
  join_vars: false,
  lhs_constants: false,
  sequences: false,
};

/** By file: what the bundler calls something that others import, and the name that it has inside. */
export type SharedNames = Map<string, ReadonlyMap<string, string>>;

const EXPORTS = /\bexport\{([^}]*)\}/;
const IMPORTS = /\bimport\{([^}]*)\}from"\.\/([^"]+)"/g;
const HEAD = /^(\/\*!.*?\*\/\s*)?((?:import\{[^}]*\}from"\.\/[^"]+";)+)/;
/** The bundler makes up names of a letter or two for what only its own chunks take from each other. */
const MADE_UP = /^[\w$]{1,2}$/;

/** A chunk, smaller. What it takes from chunks before it has the same name in it as there: `import{Q}`, `export{Q}`. */
export async function minified(
  file: string,
  code: string,
  shared: SharedNames,
  map?: string | null,
): Promise<{ readonly code: string; readonly map: unknown }> {
  const wanted = new Map<string, string>();
  for (const [, list = '', from = ''] of code.matchAll(IMPORTS)) {
    for (const [name, local] of pairs(list)) {
      const inside = shared.get(from)?.get(name);
      // Two files may have the same name for something: then the second keeps its own.
      if (inside !== undefined && ![...wanted.values()].includes(inside)) wanted.set(local, inside);
    }
  }
  const smaller = await minify(importsLast(code), {
    module: true,
    ecma: 2020,
    compress: COMPRESS,
    format: { ecma: 2020, comments: /^!/ },
    nameCache: {
      vars: { props: Object.fromEntries([...wanted].map(([local, name]) => [`$${local}`, name])) },
    },
    ...(map && { sourceMap: { content: map, asObject: true } }),
  });
  if (smaller.code === undefined) throw new Error(`${file} could not be minified`);
  const names = new Map<string, string>();
  const renamed = smaller.code
    .replace(EXPORTS, (_, list: string) => {
      const kept = pairs(list).map(([local, name]) => {
        if (!MADE_UP.test(name)) return pair(local, name);
        names.set(name, local);
        return local;
      });
      return `export{${kept.join(',')}}`;
    })
    .replace(IMPORTS, (_, list: string, from: string) => {
      const named = pairs(list).map(([name, local]) => pair(shared.get(from)?.get(name) ?? name, local));
      return `import{${named.join(',')}}from"./${from}"`;
    });
  shared.set(file, names);
  return { code: renamed, map: smaller.map };
}

/** Where an import stands is all the same to it, and at the end it can change without moving what is mapped. */
function importsLast(code: string): string {
  const [head = '', banner = '', imports = ''] = HEAD.exec(code) ?? [];
  return `${banner}${' '.repeat(imports.length)}${code.slice(head.length)}\n${imports}`;
}

function importedFirst(chunks: readonly Rolldown.OutputChunk[]): readonly Rolldown.OutputChunk[] {
  const sorted = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk) => {
    for (const other of chunks) if (chunk.imports.includes(other.fileName) && !sorted.has(other)) add(other);
    sorted.add(chunk);
  };
  chunks.forEach(add);
  return [...sorted];
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
