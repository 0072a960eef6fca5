import * as v from 'valibot';
import { read, type Reading } from '../contract/schema.js';
import {
  KeyLookupSchema,
  PaymentLinkSchema,
  PageInfoSchema,
  PayinSchema,
  PayoutSchema,
  type KeyLookup,
  type PageInfo,
  type PaymentLink,
  type Payin,
  type Payout,
} from '../contract/service/resources.js';
import {
  linkStatus,
  payinStatus,
  type LinkStatus,
  type PayinStatus,
  type StatusNames,
} from '../contract/status.js';

/** The service's resources with their statuses understood; `statusName` is the word the service used. */
type WithStatus<Resource, Status> = Omit<Resource, 'status'> & {
  readonly status: Status;
  readonly statusName: string;
};

export type ServicePayin = WithStatus<Payin, PayinStatus>;
export type ServicePayout = WithStatus<Payout, PayinStatus>;
export type ServicePaymentLink = WithStatus<PaymentLink, LinkStatus>;
/** A link just made always has an address to send the payer to. */
export type CreatedPaymentLink = ServicePaymentLink & { readonly paymentLinkUrl: string };

export interface ServicePayinPage {
  readonly data: readonly ServicePayin[];
  /** How many payins of the page could not be read and are left out. */
  readonly unreadable: number;
  readonly pageInfo: PageInfo;
}

/** The receiver behind a key, as the service describes them: personal data, for the merchant's eyes only. */
export type Receiver = KeyLookup['details'];

type Reader<Value> = (body: unknown) => Reading<Value>;

export interface ResourceReaders {
  readonly payin: Reader<ServicePayin>;
  readonly payinPage: Reader<ServicePayinPage>;
  readonly payout: Reader<ServicePayout>;
  readonly paymentLink: Reader<ServicePaymentLink>;
  readonly createdPaymentLink: Reader<CreatedPaymentLink>;
  readonly receiver: Reader<Receiver>;
}

export function createReaders(
  names: StatusNames | undefined,
  linkNames: StatusNames<LinkStatus> | undefined,
): ResourceReaders {
  const withStatus = <Resource extends { status: string }>(resource: Resource) => ({
    ...resource,
    status: payinStatus(resource.status, names),
    statusName: resource.status,
  });
  const withLinkStatus = (link: PaymentLink) => ({
    ...link,
    status: linkStatus(link.status, linkNames),
    statusName: link.status,
  });
  const paymentLink = (body: unknown) => mapped(read(PaymentLinkSchema, body), withLinkStatus);
  return {
    payin: (body) => mapped(read(PayinSchema, body), withStatus),
    payinPage: (body) => mapped(read(PageSchema, body), (page) => readPage(page, withStatus)),
    payout: (body) => mapped(read(PayoutSchema, body), withStatus),
    paymentLink,
    createdPaymentLink(body) {
      const link = paymentLink(body);
      if (!link.ok) return link;
      const { paymentLinkUrl } = link.value;
      return paymentLinkUrl === null
        ? { ok: false, errors: [] }
        : { ok: true, value: { ...link.value, paymentLinkUrl } };
    },
    receiver: (body) => mapped(read(KeyLookupSchema, body), (lookup) => lookup.details),
  };
}

/** Each payin is read by itself, so that an odd one hides no other. */
const PageSchema = v.object({
  data: v.pipe(v.array(v.unknown()), v.maxLength(100)),
  pageInfo: PageInfoSchema,
});

function readPage(
  { data, pageInfo }: v.InferOutput<typeof PageSchema>,
  withStatus: (payin: Payin) => ServicePayin,
): ServicePayinPage {
  const payins: ServicePayin[] = [];
  for (const each of data) {
    const reading = read(PayinSchema, each);
    if (reading.ok) payins.push(withStatus(reading.value));
  }
  return { data: payins, unreadable: data.length - payins.length, pageInfo };
}

/** The same reading, but only when it is the thing that was asked for: a mixed-up answer must not settle another. */
export function about<Value>(
  reader: Reader<Value>,
  id: string,
  idOf: (value: Value) => string,
): Reader<Value> {
  return (body) => {
    const reading = reader(body);
    if (!reading.ok || idOf(reading.value).toLowerCase() === id.toLowerCase()) return reading;
    return { ok: false, errors: [] };
  };
}

function mapped<From, To>(reading: Reading<From>, change: (value: From) => To): Reading<To> {
  return reading.ok ? { ok: true, value: change(reading.value) } : reading;
}
