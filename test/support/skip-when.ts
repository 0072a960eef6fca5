declare module 'vitest' {
  interface TaskMeta {
    /** Why a test is skipped; the summary lists it. */
    skipped?: string;
  }
}

interface Skipped {
  readonly skip?: true;
  readonly meta?: { readonly skipped: string };
}

/** The options of a test, or of several, that cannot run here for this reason; with none they run. */
export function skipWhen(reason: string | false | undefined): Skipped {
  return reason === undefined || reason === false ? {} : { skip: true, meta: { skipped: reason } };
}
