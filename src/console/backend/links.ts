import { LINK_FLOWS, type LinkView, type Listed } from '../../contract/merchant/console.js';
import { bankName, PSE_BANKS } from '../../contract/payer/bank-list.js';
import type { Checkout } from '../../server/checkout.js';
import { LinkError, type LinkInput } from '../../server/operations/links.js';
import { listedFrom, PAGE_SIZE } from './listed.js';
import { ConsoleProblemError, type Refusal, refusedAs } from './problem.js';
import { readNote, readWords } from './queries.js';

/** Payment links as the console's page asks for them. What becomes of them is the kit's to follow. */

export function linkDesk({ links }: Pick<Checkout, 'links'>) {
  const shown = (link: LinkView): LinkView => ({ ...link, bank: link.bank && bankName(link.bank) });
  return {
    async list(asked: string | undefined): Promise<Listed<LinkView>> {
      return listedFrom(asked, async (place) => {
        const page = await links.list({ limit: PAGE_SIZE, ...place });
        return { rows: page.links.map(shown), next: page.next, total: page.total };
      });
    },

    /** By our id or the service's. */
    async one(id: string): Promise<LinkView> {
      const found = await links.find(id);
      if (found === undefined) throw new ConsoleProblemError('not_found');
      return shown(found);
    },

    async create(body: unknown): Promise<LinkView> {
      return shown(await refused(links.create(readLink(body))));
    },

    setNote: (id: string, body: unknown): Promise<void> => refused(links.setNote(id, readNote(body))),
  };
}

/** Each flow sends its own optional fields. The refusal names one that is missing. */
function readLink(body: unknown): LinkInput {
  const given = Object(body) as Record<string, unknown>;
  const flow = LINK_FLOWS.find((candidate) => candidate === given['flow']);
  if (flow === undefined)
    throw new ConsoleProblemError('invalid_input', [{ field: 'flow', code: 'not_allowed' }]);
  const { amountInCents, callbackUrl, order, rail, bank, inlineCustomer } = given;
  const { words, faults } = readWords(given);
  const isKnownBank = flow !== 'bank' || PSE_BANKS.some(({ code }) => code === bank);
  const all = isKnownBank ? faults : [...faults, { field: 'pse.bank', code: 'not_allowed' }];
  if (all.length > 0) throw new ConsoleProblemError('invalid_input', all);
  const input = {
    amountInCents,
    callbackUrl,
    concept: words.concept,
    note: words.note,
    ...(words.reference !== null && { reference: words.reference }),
    ...(typeof order === 'string' && order !== '' && { order }),
    ...(flow === 'restricted' || flow === 'restricted-prefilled' ? { rail: rail ?? '' } : {}),
    ...(flow === 'bank' ? { rail: 'PSE', bank } : {}),
    ...(flow === 'prefilled' || flow === 'restricted-prefilled' ? { customer: inlineCustomer ?? '' } : {}),
  };
  // The kit reads every field of it.
  return input as LinkInput;
}

const REFUSALS: Readonly<Record<LinkError['code'], Refusal>> = {
  not_found: ['not_found'],
  reference_taken: ['invalid_input', { field: 'reference', code: 'taken' }],
  invalid_input: ['invalid_input'],
  already_paid: ['not_payable'],
  not_now: ['not_payable'],
};

const refused = refusedAs(LinkError, REFUSALS);
