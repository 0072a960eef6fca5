import { parse } from 'valibot';
import { type Merchant, type Method, type OfferedBank, PseMethodSchema } from '../contract/offer.js';
import { isCents } from '../contract/values/money.js';
import type { Config } from '../machine/input.js';
import { type BasicLevel, type BasicOrder, type BasicPage, basicLevel } from '../transport/http/basic.js';
import { pageAddress } from './config.js';
import { READ_TIMEOUT_MS } from '../transport/http/call.js';
import type { CheckoutHost } from './host.js';

type Page = Pick<
  CheckoutHost,
  | 'order'
  | 'amountInCents'
  | 'description'
  | 'banks'
  | 'apps'
  | 'merchant'
  | 'merchantName'
  | 'privacyUrl'
  | 'termsUrl'
  | 'words'
>;

/** What the attributes say beside a payin that a Basic backend passes through. */
export function basicPage(page: Page): BasicPage {
  const { order, description, merchant, merchantName, words } = page;
  const [privacyUrl, termsUrl] = [page.privacyUrl, page.termsUrl].map(
    (written) => written && pageAddress(written, location.href),
  );
  const named: Partial<Merchant> & Pick<Merchant, 'name'> = merchant ?? {
    name: merchantName || words.theMerchant,
  };
  return {
    order,
    description,
    merchant: {
      taxId: null,
      supportEmail: null,
      supportPhone: null,
      payeeName: null,
      ...(privacyUrl && { privacyUrl }),
      ...(termsUrl && { termsUrl }),
      ...named,
    },
  };
}

/**
 * The order as the attributes tell it, for a backend without offers. Null unless there is an amount to show. `report`
 * gets sentences for the page's engineer.
 */
export async function basicOrder(
  page: Page,
  config: Config,
  report: (mistake: string) => void,
): Promise<BasicOrder | null> {
  if (!isCents(page.amountInCents)) return null;
  if (!page.merchant && !page.merchantName) {
    report('Set "merchant-name" to the name that payers know you by: without offers nothing else says it.');
  }
  const methods: Method[] = [];
  for (const rail of config.rails ?? ['BRE_B', 'PSE']) {
    if (rail === 'PSE') {
      const banks = await banksIn(page.banks, report);
      if (banks.length > 0) {
        const requires: Extract<Method, { rail: 'PSE'; kind: 'PAYIN' }>['requires'] = [
          'name',
          'idType',
          'idNumber',
          'phone',
          'email',
        ];
        methods.push({ kind: 'PAYIN', rail, banks: [...banks], requires });
      }
      continue;
    }
    for (const keyType of config.keyType ? [config.keyType] : (['QR_CODE', 'SINGLE_USE'] as const)) {
      methods.push({
        kind: 'PAYIN',
        rail,
        keyType,
        requires: [],
        ...(page.apps && { apps: [...page.apps] }),
      });
    }
  }
  const { merchant, description } = basicPage(page);
  return { amountInCents: page.amountInCents, description, merchant, methods };
}

/** The banks as the page set them: a list, its JSON, or the address of that JSON. */
async function banksIn(
  banks: CheckoutHost['banks'],
  report: (mistake: string) => void,
): Promise<readonly OfferedBank[]> {
  if (typeof banks !== 'string') return banks ?? [];
  try {
    const list: unknown = /^\s*\[/.test(banks) ? JSON.parse(banks) : await read(banks);
    return parse(PseMethodSchema.entries.banks, list);
  } catch {
    report('"banks" is neither a list of banks as JSON nor the address of one, so that PSE is not offered.');
    return [];
  }
}

/** An address that hangs must not keep the other ways to pay. */
async function read(address: string): Promise<unknown> {
  const response = await fetch(address, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
  return response.json();
}

/** What the element says in place of a Basic backend. */
export function basicLevelOf(
  page: Page,
  config: () => Config,
  report: (mistake: string) => void,
): BasicLevel {
  return basicLevel(
    () => basicOrder(page, config(), report),
    () => basicPage(page),
  );
}
