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

/** The payins of the service, page by page, newest first. Filters are ours: the service's list has none. */

const PAGE_SIZE = 25;
/** How many pages of the service one request may read in search of matches. */
const MOST_READS = 12;

export interface PayinQuery {
  readonly cursor: string | undefined;
  readonly matches: ((payin: ServicePayin) => boolean) | undefined;
}

export function payinDesk(service: Pick<ServiceClient, 'payins'>) {
  const readPage = async (cursor: string | undefined, pageSize: number): Promise<ServicePayinPage> => {
    for await (const page of service.payins.list({ cursor, pageSize }).pages()) return page;
    throw new ConsoleProblemError('service_away');
  };

  return {
    page: (query: PayinQuery): Promise<PayinPage> => gather(readPage, query),
    one: async (id: string): Promise<PayinDetail> => detailOf(await service.payins.retrieve(id)),
  };
}

const short = v.optional(v.pipe(v.string(), v.maxLength(128)));
const PayinsSchema = v.object({
  cursor: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
  status: v.optional(v.picklist(PAYIN_FILTERS)),
  rail: v.optional(v.picklist(RAIL_NAMES)),
  q: short,
  link: short,
});

export function readPayinQuery(search: URLSearchParams): PayinQuery {
  const { cursor, status, rail, q, link } = readQuery(PayinsSchema, search);
  const text = q?.toLowerCase();
  const filtered = [status, rail, text, link].some((each) => each !== undefined);
  return {
    cursor,
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
async function gather(readPage: ReadPage, { cursor, matches }: PayinQuery): Promise<PayinPage> {
  const rows: ServicePayin[] = [];
  let scanned = 0;
  let at = cursor;
  for (let reads = 0; ;) {
    const page = await readPage(at, PAGE_SIZE - rows.length);
    scanned += page.data.length;
    rows.push(...(matches ? page.data.filter(matches) : page.data));
    const { hasNext, nextCursor } = page.pageInfo;
    const older = hasNext ? nextCursor : null;
    const isFull = !matches || rows.length >= PAGE_SIZE;
    if (isFull || older === null || ++reads >= MOST_READS) return { rows: rows.map(rowOf), older, scanned };
    at = older;
  }
}

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
