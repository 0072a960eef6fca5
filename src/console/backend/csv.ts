import { MONEY_OUT } from '../../contract/merchant/payouts.js';
import type { AttemptListItem } from '../../contract/merchant/sales.js';
import type { AttemptOperations, AttemptsQuery } from './attempts.js';
import { colombianTime } from '../../contract/values/moment.js';
import { reasonWords } from '../../look/reasons.js';
import { COMMON_WORDS } from '../../look/words.js';
import { csvText as text } from '../../server/operations/csv-text.js';

/**
 * Attempts, and money that went out, as a file for the accountant. Excel in Spanish takes semicolons between cells and a comma before the cents,
 * and knows by the mark at the start that the text is UTF-8.
 */

const BYTE_ORDER_MARK = '\uFEFF';
const PAGE = 1_000;
/** The same names as on the screens. */
const names: Readonly<Record<'rails' | 'statuses', Readonly<Record<string, string>>>> = COMMON_WORDS.es;

const COLUMNS: readonly (readonly [string, (attempt: AttemptListItem) => string])[] = [
  ['Fecha', ({ startedAt }) => colombian(startedAt)],
  ['Pedido', ({ order }) => text(order)],
  ['Referencia', ({ reference }) => text(reference)],
  ['Medio de pago', ({ rail }) => names.rails[rail] ?? text(rail)],
  ['Estado', ({ status }) => names.statuses[status] ?? text(status)],
  ['Valor', ({ amountInCents }) => pesos(amountInCents)],
  ['Recibido', (attempt) => pesos(isOut(attempt) ? 0 : attempt.paidInCents)],
  ['Devuelto o enviado', (attempt) => pesos(isOut(attempt) ? attempt.paidInCents : 0)],
  ['Neto', (attempt) => pesos(isOut(attempt) ? -attempt.paidInCents : attempt.paidInCents)],
  ['Fecha de pago', ({ paidAt }) => (paidAt === null ? '' : colombian(paidAt))],
  ['CUS', ({ cus }) => text(cus ?? '')],
  ['Banco', ({ bank }) => text(bank ?? '')],
  ['Motivo', ({ reason }) => (reason === null ? '' : reasonWords(reason, 'es'))],
  ['Código', ({ reason }) => text(reason ?? '')],
];

const isOut = ({ rail }: AttemptListItem) => MONEY_OUT.some((each) => each === rail);

/** Reads the next page when the reader asks for more. */
export function csvFile(
  attempts: Pick<AttemptOperations, 'list'>,
  query: AttemptsQuery,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after: string | null | undefined;
  return new ReadableStream(
    {
      start: (stream) => stream.enqueue(encoder.encode(csvHead())),
      async pull(stream) {
        const page = await attempts.list({
          ...query,
          withMoneyOut: true,
          limit: PAGE,
          ...(typeof after === 'string' && { after }),
        });
        stream.enqueue(encoder.encode(csvRows(page.attempts)));
        after = page.next;
        if (after === null) stream.close();
      },
    },
    { highWaterMark: 1 },
  );
}

export function csvHead(): string {
  return `${BYTE_ORDER_MARK}${COLUMNS.map(([name]) => name).join(';')}\r\n`;
}

export function csvRows(attempts: readonly AttemptListItem[]): string {
  return attempts.map((attempt) => `${COLUMNS.map(([, cell]) => cell(attempt)).join(';')}\r\n`).join('');
}

/** Cents as pesos with a decimal comma: 4290050 is 42900,50. Digits are not grouped, so that it stays a number. */
function pesos(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)},${digits.slice(-2)}`;
}

function colombian(at: string): string {
  return colombianTime(Date.parse(at)).replace('T', ' ');
}
