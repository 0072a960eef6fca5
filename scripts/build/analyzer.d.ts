declare module '@custom-elements-manifest/analyzer/cli.js' {
  import type { Package } from 'custom-elements-manifest';

  /** What `npx cem` does; without `noWrite` it writes the manifest too. */
  export function cli(options: { argv: string[]; cwd?: string; noWrite?: boolean }): Promise<Package>;
}
