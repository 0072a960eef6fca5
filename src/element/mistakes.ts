import { type Mistake, type Written, isRail, namesIn } from './config.js';

/** What the page's engineer reads of a mistake, fetched when there is one. */
export function explain(mistake: Mistake, { rails, keyType, currency }: Written): string {
  switch (mistake) {
    case 'backend':
      return 'Set the "backend" attribute to the address of your checkout endpoints, for example backend="/checkout".';
    case 'order':
      return 'The "order" attribute is empty. Set it to the order’s token, or leave it out until there is one.';
    case 'rails': {
      const unknown = namesIn(rails).filter((name) => !isRail(name));
      return `"rails" has unknown names (${unknown.join(', ')}). Use BRE_B, PSE or both, separated by a space.`;
    }
    case 'key-type':
      return `"key-type" is "${keyType}". Use SINGLE_USE or QR_CODE.`;
    case 'currency':
      return `"currency" is "${currency}". Only COP can be charged.`;
    case 'amount-in-cents':
      return '"amount-in-cents" is not a whole number of cents above zero; it is ignored.';
    case 'callback-url':
      return '"callback-url" is not a web address; the page’s own address is used instead.';
    case 'finish-url':
      return '"finish-url" is not a web address; the payer stays on this page.';
    default:
      throw new TypeError(`Unknown mistake: ${String(mistake satisfies never)}`);
  }
}
