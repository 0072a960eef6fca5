import { TransactionConflict } from '../sql/database.js';

/** serialization_failure, deadlock_detected, and unique_violation when two made the same row at once. */
const conflictCodes: readonly unknown[] = ['40001', '40P01', '23505'];
const mostTries = 12;
const pauseMs = 10;

/** Runs the work again when the server has undone it in favour of another transaction. */
export async function retriedOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || tries >= mostTries) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs * tries));
  }
}

function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflict) return true;
  return error instanceof Error && conflictCodes.includes((error as { code?: unknown }).code);
}
