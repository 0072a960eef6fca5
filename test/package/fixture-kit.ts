import { readFileSync } from 'node:fs';

/** Projects of merchants, as small as they come: what is written into an empty folder before the tarball is installed. */
export interface Fixture {
  readonly files: Readonly<Record<string, string>>;
  /** Packages it needs beside ours, by name, with their versions. */
  readonly packages: Readonly<Record<string, string>>;
  /** Commands of its own that must succeed: types, then the build. */
  readonly build: readonly (readonly [string, ...string[]])[];
  /** It sets `customer` on the element, which must be there. */
  readonly setsCustomer?: true;
  /** What prints the page as a server sends it. */
  readonly printsOnServer?: readonly [string, ...string[]];
  /** A mistake in one of its files that its first command must refuse, with these words. */
  readonly refuses?: {
    readonly file: string;
    readonly right: string;
    readonly wrong: string;
    readonly because: RegExp;
  };
  /** How it is served: the built folder by the Node fixture, or by itself. */
  readonly serve: { readonly folder: string } | { readonly command: readonly [string, ...string[]] };
}

const { devDependencies: ours, overrides } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies: Record<string, string>;
  overrides: Record<string, string>;
};

/** Builds where our own do. */
export const OVERRIDES = overrides;

export function versions(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, ours[name] ?? '']));
}

export const page = (head: string, body: string) => `<!doctype html>
<html lang="es">
  <head>
    <meta charset="utf-8" />
    <title>Pagar</title>
    ${head}
  </head>
  <body>
    ${body}
  </body>
</html>
`;

export const tsconfig = (options: object) =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom'],
      strict: true,
      noEmit: true,
      types: [],
      ...options,
    },
    include: ['src'],
  });

/** The first snippet of a framework's chapter in docs/integrate.md, as a reader copies it. */
export function documented(framework: string): string {
  const page = readFileSync('docs/integrate.md', 'utf8');
  const [, code] =
    new RegExp(`\\n## ${framework}\\n(?:(?!\\n## )[\\s\\S])*?\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(
      page,
    ) ?? [];
  if (code === undefined) throw new Error(`docs/integrate.md shows nothing for ${framework}`);
  return code;
}

/** A setting that docs/integrate.md shows as JSON, as a reader copies it. */
export function documentedSetting(name: string): object {
  const [setting] =
    new RegExp(`"${name}": \\[[^\\]]*\\]`).exec(readFileSync('docs/integrate.md', 'utf8')) ?? [];
  if (setting === undefined) throw new Error(`docs/integrate.md does not show ${name}`);
  return JSON.parse(`{${setting}}`) as object;
}
