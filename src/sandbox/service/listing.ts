import type { EngineContext } from './context.js';
import type { PayinRecord } from './state.js';

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** Newest first. A cursor that is null leads nowhere. */
export interface RecordPage {
  readonly data: readonly PayinRecord[];
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
}

/** A cursor names a place in the order and a direction, so a page stays put while new payins arrive. */
interface Cursor {
  readonly direction: 'older' | 'newer';
  /** The page begins right beside this place. */
  readonly sequence: number;
}

/** Undefined when the cursor is not one of ours. */
export function listPayins(
  context: EngineContext,
  { limit, cursor: text }: PageQuery,
): RecordPage | undefined {
  const end = context.payins.size + 1;
  const cursor: Cursor | undefined =
    text === undefined ? { direction: 'older', sequence: end } : parseCursor(text);
  if (!cursor || cursor.sequence > end) return undefined;

  const { direction, sequence } = cursor;
  const data =
    direction === 'older'
      ? visible(context, sequence - 1, -1, limit)
      : visible(context, sequence + 1, 1, limit).reverse();
  // An empty page lies at its cursor, and the way back begins with the payin at that place.
  const top = data[0]?.sequence ?? (direction === 'older' ? sequence - 1 : sequence);
  const bottom = data.at(-1)?.sequence ?? (direction === 'older' ? sequence : sequence + 1);
  const hasNewer = visible(context, top + 1, 1, 1).length > 0;
  const hasOlder = visible(context, bottom - 1, -1, 1).length > 0;
  return {
    data,
    nextCursor: hasOlder ? formatCursor({ direction: 'older', sequence: bottom }) : null,
    previousCursor: hasNewer ? formatCursor({ direction: 'newer', sequence: top }) : null,
  };
}

/** Up to `limit` payins that a list shows, from a position on in steps of one. */
function visible(context: EngineContext, from: number, step: 1 | -1, limit: number): PayinRecord[] {
  const found: PayinRecord[] = [];
  for (let sequence = from; found.length < limit; sequence += step) {
    const payin = context.payins.atSequence(sequence);
    if (!payin) break;
    const shown = asShown(context, payin);
    if (shown) found.push(shown);
  }
  return found;
}

/** The payin as a read shows it: under `lagging-reads` as it was a while ago, or not there yet. */
export function asShown(context: EngineContext, payin: PayinRecord): PayinRecord | undefined {
  if (!context.mishaps.applies('lagging-reads', payin)) return payin;
  return context.payins.asOf(payin.id, context.clock.now() - context.timings.readLagMs);
}

function formatCursor({ direction, sequence }: Cursor): string {
  return btoa(`payins ${direction} ${sequence}`).replaceAll('=', '');
}

function parseCursor(text: string): Cursor | undefined {
  // Ours are plain letters and digits; anything else never reaches the decoder.
  if (text.length > 64 || !/^[A-Za-z0-9]+$/.test(text) || text.length % 4 === 1) return undefined;
  const match = /^payins (older|newer) (0|[1-9]\d{0,8})$/.exec(atob(text));
  if (!match) return undefined;
  const direction = match[1] === 'newer' ? 'newer' : 'older';
  return { direction, sequence: Number(match[2]) };
}
