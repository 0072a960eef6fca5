/** How long things take. Quick enough for a developer to watch; docs/sandbox.md says what each scenario does. */
export const DEFAULT_TIMINGS = {
  /** From the creation of a PSE payin until its `pseUrl` appears. */
  pseUrlDelayMs: 1_500,
  /** From creation to an automatic outcome. */
  outcomeDelayMs: 5_000,
  /** Waits between the attempts to deliver an event; after the last one it is given up. */
  retryDelaysMs: [1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000],
  /** How long a receiver has to answer a webhook. */
  webhookTimeoutMs: 10_000,
  /** Scenario `slow-answers`. */
  slowAnswerMs: 4_000,
  /** Scenario `timeout-after-work`: how long the connection stays silent before it ends with 504. */
  silenceMs: 120_000,
  /** Scenario `webhooks-slow`. */
  slowWebhookMs: 60_000,
  /** Scenario `webhooks-reordered`: how long an event waits to be overtaken. */
  reorderWaitMs: 30_000,
  /** How long after an event its duplicate comes, and how long after its overtaker an overtaken one. */
  webhookGapMs: 1_000,
  /** Scenario `lagging-reads`: how old the state is that reads show. */
  readLagMs: 10_000,
  /** Scenario `late-confirmation`, counted from creation. */
  lateConfirmationMs: 1_800_000,
  /** Scenarios `declined-then-confirmed` and `chargeback`: from the first result to the second. */
  secondThoughtMs: 10_000,
} as const satisfies Record<string, number | readonly number[]>;

/** As the real service is known to retry: hourly, up to ten times. */
export const HOURLY_RETRY_DELAYS_MS: readonly number[] = Array.from({ length: 10 }, () => 3_600_000);

export type Timings = {
  readonly [Name in keyof typeof DEFAULT_TIMINGS]: (typeof DEFAULT_TIMINGS)[Name] extends number
    ? number
    : readonly number[];
} & {
  /** From creation to the outcome that a document decides; `outcomeDelayMs` when absent. */
  readonly documentDelayMs?: number;
};

/** How long a payment link lives. Fixed by the interface, so not an option. */
export const LINK_LIFETIME_MS = 3_600_000;
