import { existsSync, writeFileSync } from 'node:fs';
import type { Reconciliation } from '../contract/merchant/sales.js';
import { parseDay } from '../contract/values/dates.js';
import { csvText } from '../server/operations/csv-text.js';
import { type FlagsOf, readFlags } from './arguments.js';
import { type Command, CommandError, UsageError } from './command.js';
import { pesos } from './pesos.js';
import { DEFAULT_CONFIG, openCheckout } from './serve/checkout.js';

const FLAGS = {
  config: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  csv: { type: 'string' },
  cursor: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const;

const HELP = `pay-checkout reconcile: compares the service's payins with this database (conciliación)

Usage
  npx pay-checkout reconcile --from 2026-01-01 --to 2026-02-01 [--csv january.csv]

Flags
  --from DAY       first day, in Colombian time
  --to DAY         the day after the last
  --csv FILE       writes every payment, for the accountant: ours, theirs, difference
  --dry-run        only compares; settles nothing
  --cursor TEXT    goes on where an interrupted run stopped, and adds its rows to the file of --csv
  --config FILE    the file that "serve" runs with (${DEFAULT_CONFIG})

It reads GET /payins page by page, settles what was missed and finds payments whose order the database does not know:
after a restore from a backup their reference leads to the order. Run it again whenever you like.
`;

export const reconcileCommand: Command = {
  summary: "Compares the service's payins with the database, and settles what was missed",
  help: HELP,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, FLAGS);
  const [from, to] = [dayFlag(flags, 'from'), dayFlag(flags, 'to')];
  if (from >= to) throw new UsageError('--from must be before --to.');
  const cursor = flags.cursor;
  const opened = await openCheckout(flags.config ?? DEFAULT_CONFIG);
  try {
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    const result = await opened.checkout.reconcile({
      from,
      to,
      dryRun: flags['dry-run'] === true,
      signal: stop.signal,
      ...(cursor !== undefined && { cursor }),
      onPage: ({ pages, cursor: next }) =>
        process.stderr.write(`${pages} pages read${next === null ? '' : `, goes on at --cursor ${next}`}\n`),
    });
    const file = flags.csv;
    const isRest = cursor !== undefined;
    if (file !== undefined) {
      const isBegun = isRest && existsSync(file);
      writeFileSync(file, csv(result, !isBegun), { flag: isBegun ? 'a' : 'w' });
    }
    process.stdout.write(table(result, isRest));
    if (result.stoppedBy === null) return 0;
    throw new CommandError(
      `Stopped before the end (${result.stoppedBy}).${result.cursor === null ? '' : ` Go on with --cursor ${result.cursor}`}`,
    );
  } finally {
    await opened.close();
  }
}

/** Colombia has one time zone and no summer time. */
export function dayFlag(flags: FlagsOf<typeof FLAGS>, name: 'from' | 'to'): Date {
  const text = flags[name] ?? '';
  const day = parseDay(text);
  if (day === null) throw new UsageError(`--${name} is a day such as 2026-01-31.`);
  return new Date(day);
}

/** `isRest` of a run that went on at a cursor. */
export function table(
  { payments, theirsInCents, oursInCents, moneyOut, netInCents }: Reconciliation,
  isRest = false,
): string {
  const counts = new Map<string, number>();
  for (const { result } of payments) counts.set(result, (counts.get(result) ?? 0) + 1);
  const notable = payments.filter(({ result }) => result !== 'same');
  return [
    ...notable.map(
      ({ result, reference, order, theirsInCents: theirs, oursInCents: ours }) =>
        `${result}  ${reference}  order ${order ?? 'unknown'}  theirs ${pesos(theirs)}  ours ${pesos(ours)}`,
    ),
    '',
    ...[...counts].map(([result, count]) => `${String(count).padStart(8)}  ${result}`),
    `Theirs ${pesos(theirsInCents)}, ours ${pesos(oursInCents)}, difference ${pesos(oursInCents - theirsInCents)}`,
    isRest
      ? 'This is the rest only: what went out is not counted, and payments that the service lacks were not looked for. Run it without --cursor for both.'
      : `Went out ${pesos(moneyOut.outInCents)}, without an outcome ${pesos(moneyOut.openInCents)}, net ${pesos(netInCents)}`,
    '',
  ].join('\n');
}

const COLUMNS = [
  'created_at',
  'reference',
  'service_id',
  'order',
  'rail',
  'their_status',
  'our_status',
  'theirs_cop',
  'ours_cop',
  'difference_cop',
  'result',
] as const;

/** What went out is negative in `ours_cop`, so that the column adds up to the net. */
export function csv(
  { payments, moneyOut }: Pick<Reconciliation, 'payments' | 'moneyOut'>,
  withHead = true,
): string {
  const rows = payments.map((payment) => [
    payment.createdAt,
    payment.reference,
    payment.serviceId,
    payment.order,
    payment.rail,
    payment.theirStatus,
    payment.ourStatus,
    decimal(payment.theirsInCents),
    decimal(payment.oursInCents),
    decimal(payment.oursInCents - payment.theirsInCents),
    payment.result,
  ]);
  const out = moneyOut.lines.map((line) => [
    line.at,
    line.reference,
    null,
    line.order,
    line.kind,
    null,
    line.status,
    null,
    decimal(-line.outInCents),
    null,
    'money_out',
  ]);
  return [...(withHead ? [COLUMNS] : []), ...rows, ...out]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('');
}

function cell(value: string | null): string {
  const text = value ?? '';
  return /^-?\d+\.\d\d$/.test(text) ? text : csvText(text);
}

function decimal(cents: number): string {
  return (cents / 100).toFixed(2);
}
