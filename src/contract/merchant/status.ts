/** How the store and the calls to the service are doing. */

/** Times are ISO 8601 in UTC; null when there is none. */
export interface StoreStatus {
  /** Orders whose work is due, and since when the oldest waits. */
  readonly due: number;
  readonly oldestDueAt: string | null;
  /** Orders with a notice that no hook has taken yet. */
  readonly waitingNotices: number;
  readonly oldestNoticeAt: string | null;
  /** Events that belong to no known order. */
  readonly unmatchedEvents: number;
  readonly oldestUnmatchedEventAt: string | null;
  /** Orders that need a person. */
  readonly review: number;
}

export interface CallStatus {
  readonly answered: number;
  /** By kind of failure. */
  readonly failed: Readonly<Record<string, number>>;
  readonly meanMs: number;
  readonly slowestMs: number;
}
