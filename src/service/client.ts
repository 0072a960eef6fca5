import { read } from '../contract/schema.js';
import {
  CreatePaymentLinkSchema,
  CreatePayinSchema,
  type CreatePaymentLink,
  type CreatePayin,
} from '../contract/service/requests.js';
import { createCaller, type CallOptions } from './http.js';
import { personalTexts, requireId, requireKey, requireValid } from './input.js';
import { readCallerSetup, type ServiceClientOptions } from './options.js';
import {
  createPayinList,
  findByReference,
  type FetchPage,
  type FindOptions,
  type ListOptions,
  type PayinList,
} from './payin-list.js';
import { createPayouts, type Payouts } from './payouts.js';
import {
  about,
  createReaders,
  type CreatedPaymentLink,
  type Receiver,
  type ServicePaymentLink,
  type ServicePayin,
} from './resources.js';

/** Every call gives the typed answer or throws a ServiceError. */
export interface ServiceClient {
  readonly payins: {
    /** Never the final outcome: that comes as an event, or by retrieving the payin. */
    create(input: CreatePayin, options?: CallOptions): Promise<ServicePayin>;
    retrieve(id: string, options?: CallOptions): Promise<ServicePayin>;
    list(options?: ListOptions): PayinList;
  };
  readonly payouts: Payouts;
  readonly keys: {
    lookup(keyString: string, options?: CallOptions): Promise<Receiver>;
  };
  readonly paymentLinks: {
    create(input: CreatePaymentLink, options?: CallOptions): Promise<CreatedPaymentLink>;
    retrieve(id: string, options?: CallOptions): Promise<ServicePaymentLink>;
  };
  /**
   * The first payin of the list with this reference, or null when the whole list was read and has none. Throws a
   * `timeout` when the time is up before that. Null is no proof: the service's list may lag behind.
   */
  findPayinByReference(reference: string, options?: FindOptions): Promise<ServicePayin | null>;
}

export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const setup = readCallerSetup(options);
  const call = createCaller(setup);
  const readers = createReaders(options.statusNames, options.linkStatusNames);
  const parameters = { cursor: 'cursor', limit: 'limit', ...options.listParameters };

  const fetchPage: FetchPage = (cursor, { pageSize, signal, timeoutMs }) => {
    const query = new URLSearchParams();
    if (cursor !== undefined) query.set(parameters.cursor, cursor);
    if (pageSize !== undefined) query.set(parameters.limit, String(pageSize));
    return call({
      operation: 'payins.list',
      path: ['payins'],
      query,
      parse: readers.payinPage,
      options: { signal, timeoutMs },
    });
  };

  const lookup = async (keyString: string, callOptions: CallOptions = {}) => {
    const key = requireKey('keys.lookup', keyString);
    return call({
      operation: 'keys.lookup',
      path: ['breb', 'keys', key],
      personal: personalTexts(undefined, key),
      parse: readers.receiver,
      options: callOptions,
    });
  };

  return {
    payins: {
      async create(input, callOptions = {}) {
        const body = requireValid('payins.create', read(CreatePayinSchema, input));
        return call({
          operation: 'payins.create',
          path: ['payins'],
          body,
          personal: personalTexts(body.inlineCustomer),
          parse: readers.payin,
          options: callOptions,
        });
      },
      async retrieve(id, callOptions = {}) {
        return call({
          operation: 'payins.retrieve',
          path: ['payins', requireId('payins.retrieve', 'id', id)],
          parse: about(readers.payin, id, (payin) => payin.id),
          options: callOptions,
        });
      },
      list: (listOptions = {}) => createPayinList(fetchPage, listOptions),
    },
    payouts: createPayouts(call, readers, lookup),
    keys: { lookup },
    paymentLinks: {
      async create(input, callOptions = {}) {
        const body = requireValid('paymentLinks.create', read(CreatePaymentLinkSchema, input));
        return call({
          operation: 'paymentLinks.create',
          path: ['payment-links'],
          body,
          personal: personalTexts(body.inlineCustomer),
          parse: readers.createdPaymentLink,
          options: callOptions,
        });
      },
      async retrieve(id, callOptions = {}) {
        return call({
          operation: 'paymentLinks.retrieve',
          path: ['payment-links', requireId('paymentLinks.retrieve', 'paymentLinkId', id)],
          parse: about(readers.paymentLink, id, (link) => link.paymentLinkId),
          options: callOptions,
        });
      },
    },
    findPayinByReference: (reference, findOptions = {}) =>
      findByReference(fetchPage, setup.clock, reference, findOptions),
  };
}
