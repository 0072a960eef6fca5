import { join } from 'node:path';
import { build, type Rolldown } from 'vite';

/**
 * Of a module that only hands on what others have, the bundler makes a file in front of theirs. Chunks are compressed
 * one by one, so what is fetched together is smaller as one file: this puts the code of the others into it. They stay
 * beside it, for who has some of the code already. What comes with the entry is not repeated.
 */
export function wholeFiles(...names: readonly string[]): Rolldown.Plugin {
  return {
    name: 'whole-files',
    async generateBundle({ dir = '' }, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      for (const chunk of chunks.filter(({ name }) => names.includes(name))) {
        const { code, map, imports, dynamicImports } = await whole(chunk, chunks, dir);
        Object.assign(chunk, {
          code,
          map,
          imports: imports.map(fileOf),
          dynamicImports: dynamicImports.map(fileOf),
        });
      }
    },
  };
}

/** The bundler's own work again, on what it has made: only what the file imports at once is put into it. */
async function whole(
  chunk: Rolldown.OutputChunk,
  chunks: readonly Rolldown.OutputChunk[],
  outDir: string,
): Promise<Rolldown.OutputChunk> {
  const here = withImports(
    chunks.filter(({ isEntry }) => isEntry),
    chunks,
  );
  const inside = withImports([chunk], chunks).filter((each) => !here.includes(each));
  const found = (id: string) => inside.find(({ fileName }) => fileName === fileOf(id));
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'chunks',
        enforce: 'pre',
        // As if they lay there, where their maps begin.
        resolveId: (id) => (found(id) ? join(outDir, fileOf(id)) : { id, external: true }),
        load(id) {
          const { code, map } = found(id) ?? {};
          return code === undefined ? null : { code, map: map ? JSON.stringify(map) : null };
        },
      },
    ],
    build: {
      outDir,
      write: false,
      target: 'es2022',
      sourcemap: chunk.map ? 'hidden' : false,
      lib: { entry: chunk.fileName, formats: ['es'] },
      rolldownOptions: {
        output: {
          entryFileNames: chunk.fileName,
          comments: false,
          // The first comment, which names the licences.
          postBanner: /^\/\*!.*?\*\//.exec(chunk.code)?.[0] ?? '',
          minify: { codegen: { removeWhitespace: true } },
        },
      },
    },
  });
  const outputs = built as Extract<typeof built, readonly unknown[]>;
  const [file, ...more] = outputs.flatMap(({ output }) => output).filter(({ type }) => type === 'chunk');
  if (file?.type !== 'chunk' || more.length > 0) throw new Error(`${chunk.fileName} is not one file`);
  return file;
}

/** These and all that they import at once. */
function withImports(
  some: readonly Rolldown.OutputChunk[],
  chunks: readonly Rolldown.OutputChunk[],
): readonly Rolldown.OutputChunk[] {
  const all = new Set(some);
  for (const { imports } of all) {
    for (const each of chunks) if (imports.includes(each.fileName)) all.add(each);
  }
  return [...all];
}

/** Files stand side by side. */
function fileOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
