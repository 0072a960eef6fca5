/** Builds, and takes back the mode that the builder leaves behind: in it a sandbox does not start. */
export async function inOwnMode<Result>(work: () => Promise<Result>): Promise<Result> {
  const { NODE_ENV = 'test' } = process.env;
  try {
    return await work();
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
}
