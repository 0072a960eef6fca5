/**
 * How long a test waits for one thing to happen. Generous, because the machine may be busy with anything: nothing
 * waits longer than it must, and only a test that fails is slow.
 */
export const PATIENCE_MS = 120_000;

/** A test waits for several things. */
export const TEST_PATIENCE_MS = 5 * PATIENCE_MS;

/** A file has several tests. */
export const FILE_PATIENCE_MS = 30 * PATIENCE_MS;
