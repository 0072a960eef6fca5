import { openAdyen } from './answers/adyen.js';
import type { Backend } from './answers/backend.js';
import { openBitcoinConnect } from './answers/bitcoin-connect.js';
import { openOurs } from './answers/ours.js';
import { openPrimer } from './answers/primer.js';
import { openXendit } from './answers/xendit.js';

export interface Contender {
  readonly name: string;
  /** Its page is `peers/<page>.js`. */
  readonly page: string;
  /** Its package, whose version is printed. */
  readonly package?: string;
  readonly open: () => Backend | Promise<Backend>;
  /** What its figures hold, and what they do not. */
  readonly measures: string;
}

export const OURS = 'pay-checkout';
/** The widget once more, in a page that brings the offer along: no column, but a row of its own. */
export const EMBEDDED = 'pay-checkout, offer in the page';
export const BLANK = 'blank page';

export const isOurs = ({ page }: Contender): boolean => page === 'pay-checkout';

/** In the order of the columns. */
export const CONTENDERS: readonly Contender[] = [
  {
    name: OURS,
    page: 'pay-checkout',
    open: () => openOurs(),
    measures:
      'The build for pages without a bundler against the kit on the sandbox, all of it at work. First screen: the choice of Bre-B and PSE. Code: the service’s picture. Spanish.',
  },
  {
    name: EMBEDDED,
    page: 'pay-checkout',
    open: () => openOurs({ embedded: true }),
    measures: 'The same, with the tag that `checkout.offerTag()` writes.',
  },
  {
    name: 'Adyen',
    page: 'adyen',
    package: '@adyen/adyen-web',
    open: openAdyen,
    measures:
      'Core and the Pix component alone, without the drop-in’s list of methods, English as bundled (Spanish is one more request), analytics and risk data off. First screen: its button. Code: a picture from Adyen’s server, canned. Polls its server, canned.',
  },
  {
    name: 'Xendit',
    page: 'xendit',
    package: 'xendit-components-web',
    open: openXendit,
    measures:
      'Its picker of channels with one QR channel, chosen; the button is the page’s own, as Xendit asks for. First screen: the button can be pressed. Code: drawn by the library in its dialog. Xendit has no paid screen: the page shows a line on its event. Session, payment and polls are canned.',
  },
  {
    name: 'bitcoin-connect',
    page: 'bitcoin-connect',
    package: '@getalby/bitcoin-connect',
    open: openBitcoinConnect,
    measures:
      'Its pay button, payment from another device only. First screen: the button. Code: drawn by the library in its dialog. The page asks the merchant’s server for the invoice and, once a second, whether it is paid, as its documentation shows.',
  },
  {
    name: 'Primer',
    page: 'primer',
    package: '@primer-io/primer-js',
    open: openPrimer,
    measures:
      'Its checkout with one QR method (PromptPay). Code: a picture in the answer, canned. All its calls go through a page in a hidden frame that is not published; a stand-in of ten lines answers there, so that page’s bytes and work are missing.',
  },
  {
    name: BLANK,
    page: 'blank',
    open: () => ({ orders: [''], answer: () => undefined, settle: () => {}, close: () => {} }),
    measures: 'The same page without a checkout: what the browser and the line cost.',
  },
];
