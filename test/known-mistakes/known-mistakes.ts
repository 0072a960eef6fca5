/** Mistakes that the tests once did not notice, and must: `from`, which stands once in the file, becomes `to`. */
interface KnownMistake {
  readonly says: string;
  /** The test file that fails with it. */
  readonly noticedBy: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const KNOWN_MISTAKES: readonly KnownMistake[] = [
  {
    says: 'a day of the accounts begins at midnight in London',
    noticedBy: 'cli/tables',
    file: 'src/cli/reconcile.ts',
    from: 'T00:00:00-05:00',
    to: 'T00:00:00Z',
  },
  {
    says: 'only the first page of what needs a person is listed',
    noticedBy: 'cli/tables',
    file: 'src/cli/orders/command.ts',
    from: 'if (page.next === null) break;',
    to: 'break;',
  },
  {
    says: "the console's page never notices that its connection is silent",
    noticedBy: 'console/page/live',
    file: 'src/console/page/live.ts',
    from: 'timer = setTimeout(lost, SILENCE_MS);',
    to: '',
  },
  {
    says: 'an overpayment is shown as plain success',
    noticedBy: 'machine/attempts',
    file: 'src/machine/paying/attempts.ts',
    from: 'confirmedAmountInCents !== amountInCents',
    to: 'confirmedAmountInCents < amountInCents',
  },
  {
    says: 'an older answer overwrites a newer one',
    noticedBy: 'machine/attempts',
    file: 'src/machine/paying/attempts.ts',
    from: 'Date.parse(next.updatedAt) < Date.parse(known.updatedAt)',
    to: 'false',
  },
  {
    says: 'an earlier answer that said paid is forgotten',
    noticedBy: 'machine/attempts',
    file: 'src/machine/paying/attempts.ts',
    from: 'gain < 0',
    to: 'false',
  },
  {
    says: 'an earlier attempt that paid the order is forgotten',
    noticedBy: 'machine/attempts',
    file: 'src/machine/paying/attempts.ts',
    from: "settlement.state !== 'OPEN' && settlement.by !== id",
    to: 'false',
  },
  {
    says: 'the old idempotency key is used again when replacing',
    noticedBy: 'machine/creating',
    file: 'src/machine/paying/creating.ts',
    from: '!hint.answered && !replacing && isRemembered',
    to: '!hint.answered && isRemembered',
  },
  {
    says: 'the old idempotency key is used again after an answer',
    noticedBy: 'machine/payer',
    file: 'src/machine/paying/creating.ts',
    from: 'hint && !hint.answered && !replacing',
    to: 'hint && !replacing',
  },
  {
    says: 'news of an open earlier attempt take the screen',
    noticedBy: 'machine/arrivals',
    file: 'src/machine/paying/arrivals.ts',
    from: 'if (!isPaid(now.status)) return next;',
    to: '',
  },
  {
    says: 'a retry after a refused address goes nowhere',
    noticedBy: 'machine/bank',
    file: 'src/machine/paying/payer.ts',
    from: '{ offer, follow: true }',
    to: '{ offer }',
  },
  {
    says: 'the reference of a link is not compared',
    noticedBy: 'server/orders/observation',
    file: 'src/server/orders/observation.ts',
    from: 'observed.reference !== null && observed.reference !== submission.reference',
    to: 'false',
  },
  {
    says: 'a network error after sending counts as not made',
    noticedBy: 'service/retry',
    file: 'src/service/http.ts',
    from: "writes(call) && !(kind === 'network' && wasNotSent(error))",
    to: "writes(call) && kind !== 'network'",
  },
  {
    says: 'an unclear creation counts as not made',
    noticedBy: 'server/http/unclear-creates',
    file: 'src/server/work/submit.ts',
    from: '!(error instanceof ServiceError) || error.mayHaveHappened',
    to: '!(error instanceof ServiceError)',
  },
  {
    says: 'the kit ignores Retry-After when a creation was refused',
    noticedBy: 'server/orders/submissions',
    file: 'src/server/orders/submissions.ts',
    from: 'backOffMs(found.attempt.submissions.length - 1), retryAfterMs',
    to: 'backOffMs(found.attempt.submissions.length - 1)',
  },
  {
    says: 'the kit ignores Retry-After when a read was refused',
    noticedBy: 'server/work/worker',
    file: 'src/server/work/tasks.ts',
    from: 'error.retryAfterMs ?? PAUSE_MS',
    to: 'PAUSE_MS',
  },
  {
    says: 'a cross-site POST without Origin is taken',
    noticedBy: 'server/http/access',
    file: 'src/server/http/cors.ts',
    from: "request.headers.get('sec-fetch-site') === 'cross-site'",
    to: 'false',
  },
  {
    says: 'a hook is run on a nearly expired lease',
    noticedBy: 'server/work/run-hook',
    file: 'src/server/work/worker.ts',
    from: '< this.#context.settings.hookTimeoutMs) return step',
    to: '< 0) return step',
  },
  {
    says: 'a status read may come from the HTTP cache',
    noticedBy: 'transport/http-transport',
    file: 'src/transport/http/call.ts',
    from: "cache: 'no-store',",
    to: '',
  },
  {
    says: 'an id is not encoded in a path of the backend',
    noticedBy: 'transport/http-transport',
    file: 'src/transport/http/attempts.ts',
    from: '/${encodeURIComponent(id)}',
    to: '/${id}',
  },
  {
    says: 'an id is not encoded in a path of the service',
    noticedBy: 'service/client',
    file: 'src/service/http.ts',
    from: 'call.path.map(encodeURIComponent)',
    to: 'call.path',
  },
  {
    says: 'a page that is seen again within a second goes on resting as one that nobody sees',
    noticedBy: 'transport/watcher-hidden',
    file: 'src/transport/watcher.ts',
    from: 'call || (failures === 0 && !resting)',
    to: 'call || failures === 0',
  },
  {
    says: 'a schema that another store made since it was looked for is made again',
    noticedBy: 'server/stores/postgres',
    file: 'src/server/stores/postgres/postgres-store.ts',
    from: 'create schema if not exists ${this.#schema}',
    to: 'create schema ${this.#schema}',
  },
  {
    says: 'a tab that comes to lead keeps to itself what it has read',
    noticedBy: 'transport/tabs',
    file: 'src/transport/watcher.ts',
    from: 'if (is && version !== null) tab?.notify(version);',
    to: '',
  },
  {
    says: 'a payout whose call was never answered counts as not sent',
    noticedBy: 'server/orders/payouts/payouts',
    file: 'src/server/orders/payouts/payouts.ts',
    from: 'else if (sendAt !== null) next',
    to: "else if (state === 'SENDING') next",
  },
  {
    says: 'a second payment is taken for one whose creation was never answered',
    noticedBy: 'server/operations/reconcile-adopts',
    file: 'src/server/operations/reconcile.ts',
    from: 'payin.paymentLinkId === null && reference === payin.reference',
    to: 'payin.paymentLinkId === null',
  },
];
