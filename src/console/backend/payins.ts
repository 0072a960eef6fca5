import * as v from 'valibot';
import { PAYIN_FILTERS, RAIL_NAMES } from '../../contract/merchant/console.js';
import type {
  MaskedCustomer,
  PayinDetail,
  PayinFilter,
  PayinPage,
  PayinRow,
} from '../../contract/merchant/console.js';
import { bankName } from '../../contract/payer/bank-list.js';
import { maskEmail, maskName, maskNumber } from '../../server/orders/masks.js';
import type { ServiceClient } from '../../service/client.js';
import type { ServicePayin, ServicePayinPage } from '../../service/resources.js';
import { ConsoleProblemError } from './problem.js';
import { readQuery } from './queries.js';

/** The payins of the service, page by page in both directions. Filters are ours: the service's list has none. */

const PAGE_SIZE = 25;
const LARGEST_PAGE = 100;
/** How many pages of the service one request may read in search of matches. */
const MOST_READS = 12;
/** How far down a head that grew is read before the page starts over. */
const MOST_HEAD_READS = 3;

export interface PayinQuery {
  readonly cursor: string | undefined;
  readonly direction: 'older' | 'newer';
  readonly through: string | undefined;
  readonly matches: ((payin: ServicePayin) => boolean) | undefined;
}

export function payinDesk(service: Pick<ServiceClient, 'payins'>) {
  const readPage = async (cursor: string | undefined, pageSize: number): Promise<ServicePayinPage> => {
    for await (const page of service.payins.list({ cursor, pageSize }).pages()) return page;
    throw new ConsoleProblemError('service_away');
  };

  return {
    async page(query: PayinQuery): Promise<PayinPage> {
      if (query.through !== undefined) {
        const head = await readHead(readPage, query, query.through);
        if (head) return head;
      }
      return gather(readPage, query);
    },
    one: async (id: string): Promise<PayinDetail> => detailOf(await service.payins.retrieve(id)),
  };
}

const short = v.optional(v.pipe(v.string(), v.maxLength(128)));
const PayinsSchema = v.object({
  cursor: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
  direction: v.optional(v.picklist(['older', 'newer']), 'older'),
  through: short,
  status: v.optional(v.picklist(PAYIN_FILTERS)),
  rail: v.optional(v.picklist(RAIL_NAMES)),
  q: short,
  link: short,
});

export function readPayinQuery(search: URLSearchParams): PayinQuery {
  const { cursor, direction, through, status, rail, q, link } = readQuery(PayinsSchema, search);
  const text = q?.toLowerCase();
  const filtered = [status, rail, text, link].some((each) => each !== undefined);
  return {
    cursor,
    direction,
    through,
    matches: filtered
      ? (payin) =>
          (status === undefined || filterOf(payin) === status) &&
          (rail === undefined || payin.rail === rail) &&
          (link === undefined || payin.paymentLinkId === link) &&
          (text === undefined || payin.reference.toLowerCase().includes(text))
      : undefined,
  };
}

type ReadPage = (cursor: string | undefined, pageSize: number) => Promise<ServicePayinPage>;

/**
 * Reads on from the cursor until the page is full. Each read asks for no more than what is missing, so the page ends
 * where the last read did and the next one begins right behind it: no gap, no repetition.
 */
async function gather(readPage: ReadPage, { cursor, direction, matches }: PayinQuery): Promise<PayinPage> {
  const rows: ServicePayin[] = [];
  let scanned = 0;
  let at = cursor;
  let top: ServicePayinPage | undefined;
  let bottom: ServicePayinPage | undefined;
  for (let reads = 0; ;) {
    const page = await readPage(at, PAGE_SIZE - rows.length);
    scanned += page.data.length;
    const found = matches ? page.data.filter(matches) : page.data;
    if (direction === 'older') rows.push(...found);
    else rows.unshift(...found);
    top = direction === 'newer' ? page : (top ?? page);
    bottom = direction === 'older' ? page : (bottom ?? page);
    const further = direction === 'older' ? olderThan(page) : newerThan(page);
    const full = !matches || rows.length >= PAGE_SIZE;
    if (full || further === null || ++reads >= MOST_READS) {
      return {
        rows: rows.map(rowOf),
        newer: newerThan(top),
        older: olderThan(bottom),
        through: bottom.data.at(-1)?.id ?? null,
        scanned,
      };
    }
    at = further;
  }
}

/** The head of the list down to a payin that was its end before: what arrived since is on top, nothing fell off. */
async function readHead(
  readPage: ReadPage,
  { matches }: PayinQuery,
  through: string,
): Promise<PayinPage | undefined> {
  const read: ServicePayin[] = [];
  let at: string | undefined;
  for (let reads = 0; reads < MOST_HEAD_READS; reads++) {
    const page = await readPage(at, LARGEST_PAGE);
    read.push(...page.data);
    const end = read.findIndex(({ id }) => id === through);
    if (end >= 0) {
      const kept = read.slice(0, end + 1);
      const rows = (matches ? kept.filter(matches) : kept).map(rowOf);
      // Where it goes on the page knows already: older payins do not move.
      return { rows, newer: null, older: null, through, scanned: kept.length };
    }
    at = olderThan(page) ?? undefined;
    if (at === undefined) return undefined;
  }
  return undefined;
}

const olderThan = ({ pageInfo }: ServicePayinPage) => (pageInfo.hasNext ? pageInfo.nextCursor : null);
const newerThan = ({ pageInfo }: ServicePayinPage) => (pageInfo.hasPrevious ? pageInfo.previousCursor : null);

function filterOf({ status }: ServicePayin): PayinFilter {
  return status === 'PENDING' || status === 'PROCESSING' ? 'OPEN' : status;
}

function rowOf(payin: ServicePayin): PayinRow {
  return {
    id: payin.id,
    reference: payin.reference,
    rail: payin.rail,
    amountInCents: payin.amountInCents,
    confirmedAmountInCents: payin.confirmedAmountInCents,
    status: payin.status,
    createdAt: payin.createdAt,
    fromLink: payin.paymentLinkId !== null,
  };
}

function detailOf(payin: ServicePayin): PayinDetail {
  const { sourceData } = payin;
  return {
    ...rowOf(payin),
    settlementStatus: payin.settlementStatus,
    errorCode: payin.errorCode,
    updatedAt: payin.updatedAt,
    resultAt: payin.resultAt,
    chargebackAt: payin.chargebackAt,
    paymentLinkId: payin.paymentLinkId,
    key: sourceData?.keyString ?? null,
    keyType: sourceData?.keyType ?? null,
    bank: sourceData?.bank ? bankName(sourceData.bank) : null,
    cus: sourceData?.cus ?? null,
    customer: maskCustomer(payin.inlineCustomer),
  };
}

/** As payers know it; an unknown code is shown as it came. */
function maskCustomer(customer: ServicePayin['inlineCustomer']): MaskedCustomer | null {
  if (customer === null || typeof customer === 'string') return null;
  const { name = '', idType = '', idNumber = '', phone = '', email = '' } = customer;
  return {
    name: maskName(name),
    document: `${idType} ${maskNumber(idNumber)}`,
    phone: maskNumber(phone),
    email: maskEmail(email),
  };
}
