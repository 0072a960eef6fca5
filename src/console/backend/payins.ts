import { PAYIN_FILTERS } from '../../contract/console.js';
import type {
  MaskedCustomer,
  PayinDetail,
  PayinFilter,
  PayinPage,
  PayinRow,
} from '../../contract/console.js';
import { PSE_BANKS } from '../../contract/payer/bank-list.js';
import { maskEmail, maskName, maskNumber } from '../../server/orders/masks.js';
import type { ServiceClient } from '../../service/client.js';
import type { ServicePayin, ServicePayinPage } from '../../service/resources.js';
import { ConsoleProblemError } from './problem.js';

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

export function readPayinQuery(query: URLSearchParams): PayinQuery {
  const get = (name: string, longest: number) => {
    const value = query.get(name) ?? '';
    if (value.length > longest)
      throw new ConsoleProblemError('invalid_input', [{ field: name, code: 'too_long' }]);
    return value === '' ? undefined : value;
  };
  const status = oneOf('status', get('status', 16), PAYIN_FILTERS);
  const rail = oneOf('rail', get('rail', 16), ['BRE_B', 'PSE']);
  const text = get('q', 128)?.toLowerCase();
  const link = get('link', 128);
  const filtered = [status, rail, text, link].some((each) => each !== undefined);
  return {
    cursor: get('cursor', 1_024),
    direction: oneOf('direction', get('direction', 8), ['older', 'newer']) ?? 'older',
    through: get('through', 128),
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
        partial: !full && further !== null,
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
      return { rows, newer: null, older: null, through, scanned: kept.length, partial: false };
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

function oneOf<Value extends string>(
  field: string,
  value: string | undefined,
  values: readonly Value[],
): Value | undefined {
  if (value === undefined) return undefined;
  const found = values.find((candidate) => candidate === value);
  if (found === undefined) throw new ConsoleProblemError('invalid_input', [{ field, code: 'not_allowed' }]);
  return found;
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
    statusName: payin.statusName,
    settlementStatus: payin.settlementStatus,
    errorCode: payin.errorCode,
    updatedAt: payin.updatedAt,
    resultAt: payin.resultAt,
    chargebackAt: payin.chargebackAt,
    paymentLinkId: payin.paymentLinkId,
    key: sourceData?.keyString ?? null,
    keyType: sourceData?.keyType ?? null,
    bank: bankName(sourceData?.bank ?? null),
    cus: sourceData?.cus ?? null,
    customer: maskCustomer(payin.inlineCustomer),
  };
}

/** As payers know it; a code that nobody knows is shown as it came. */
export function bankName(code: string | null): string | null {
  return PSE_BANKS.find((bank) => bank.code === code)?.name ?? code;
}

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
