import { build as viteBuild, type InlineConfig } from 'vite';

const { NODE_ENV: ownMode = 'test' } = process.env;

/**
 * Builds for production, whatever mode this process runs in, and takes back the mode that the builder leaves behind: in
 * it a sandbox does not start.
 */
export async function build(config: InlineConfig): ReturnType<typeof viteBuild> {
  delete process.env['NODE_ENV'];
  try {
    return await viteBuild(config);
  } finally {
    process.env['NODE_ENV'] = ownMode;
  }
}
