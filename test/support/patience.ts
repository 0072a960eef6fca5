/** Generous, because the machine is shared with the rest of the tests; nothing waits longer than it must. */
export const PATIENCE_MS = 60_000;
