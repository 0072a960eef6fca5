import type { Listed } from '../../contract/merchant/console.js';

export const PAGE_SIZE = 100;

interface Part<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly total: number;
}

/** Reads pages from the start until the one with the row that was asked for, or the last one. */
export async function listedFrom<Row>(
  asked: string | undefined,
  read: (place: { readonly after?: string }) => Promise<Part<Row>>,
): Promise<Listed<Row>> {
  const wanted = Number(asked ?? 0);
  const first = Number.isSafeInteger(wanted) && wanted > 0 ? wanted : 0;
  let from = 0;
  let page = await read({});
  while (from + PAGE_SIZE <= first && page.next !== null) {
    const next = await read({ after: page.next });
    if (next.rows.length === 0) break;
    page = next;
    from += PAGE_SIZE;
  }
  return { rows: page.rows, from, pageSize: PAGE_SIZE, total: page.total };
}
