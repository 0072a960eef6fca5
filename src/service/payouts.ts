import { read } from '../contract/schema.js';
import { CreatePayoutSchema, type CreatePayout } from '../contract/service/requests.js';
import { PayoutUnclearError, ServiceError } from './errors.js';
import type { Caller, CallOptions } from './http.js';
import { personalTexts, requireValid } from './input.js';
import type { Receiver, ResourceReaders, ServicePayout } from './resources.js';

export interface SendPayoutOptions extends CallOptions {
  /** Says whether the receiver found behind the key is the intended one. Only `true` lets the payout go. */
  readonly confirmReceiver: (receiver: Receiver) => boolean | Promise<boolean>;
}

export interface Payouts {
  /** Sent once and never again. Throws a PayoutUnclearError when it is not known whether it was made. */
  create(input: CreatePayout, options?: CallOptions): Promise<ServicePayout>;
  /** The recommended sequence: look the key up, let the caller confirm the receiver, create the payout. */
  send(input: CreatePayout, options: SendPayoutOptions): Promise<ServicePayout>;
}

export function createPayouts(
  call: Caller,
  readers: ResourceReaders,
  lookup: (keyString: string, options: CallOptions) => Promise<Receiver>,
): Payouts {
  const create = async (body: CreatePayout, options: CallOptions) => {
    try {
      return await call({
        operation: 'payouts.create',
        path: ['payouts'],
        body,
        personal: personalTexts(body.inlineCustomer, body.breb.keyString),
        parse: readers.payout,
        options,
      });
    } catch (error) {
      throw error instanceof ServiceError && error.mayHaveHappened ? new PayoutUnclearError(error) : error;
    }
  };
  // Parsing copies the input, so that what was confirmed is what is sent even if the caller changes theirs.
  const parse = (input: CreatePayout) => requireValid('payouts.create', read(CreatePayoutSchema, input));
  return {
    create: async (input, options = {}) => create(parse(input), options),
    async send(input, { confirmReceiver, ...options }) {
      const payout = parse(input);
      const receiver = await lookup(payout.breb.keyString, options);
      if ((await confirmReceiver(receiver)) !== true) {
        throw new ServiceError('receiver_not_confirmed', 'payouts.create');
      }
      return create(payout, options);
    },
  };
}
