import type { PropertyDeclaration } from 'lit';
import type { BrebApp, Merchant, OfferedBank } from '../contract/offer.js';
import type { GivenCustomer } from '../contract/start.js';
import type { Messages } from '../locales/messages.js';
import type { Transport } from '../transport/port.js';

/** How codes look that the checkout draws itself. Colours are `#rrggbb`. */
export interface QrStyle {
  /** The shape of the modules. */
  readonly dots?: 'square' | 'dots' | 'rounded' | 'extra-rounded' | 'classy' | 'classy-rounded' | undefined;
  /** The shape of the three corners. */
  readonly corners?: 'square' | 'dot' | 'extra-rounded' | undefined;
  /** Of modules and corners: the darker of the two colours. */
  readonly color?: string | undefined;
  /** Behind the code and around it. */
  readonly background?: string | undefined;
  /** A picture for the middle, such as a logo: a PNG as a `data:` URL. */
  readonly mark?: string | undefined;
}

/**
 * What a page sets on the element. The element, its manifest and the types and wrappers for frameworks are made of this
 * list and the one below.
 */
export interface CheckoutProperties {
  /** Address of the merchant's checkout endpoints. */
  backend: string | null;
  /** The order's token. Without one the element waits, or shows what became of a returning payer. */
  order: string | null;
  /** `basic` for a backend without offers: none is asked for, and attributes say what is paid. Default: ask. */
  level: string | null;
  /** Rails to offer, in this order, separated by spaces. Default: all the order allows. */
  rails: string | null;
  /** Offers only this kind of Bre-B key. */
  keyType: string | null;
  /** Code of a bank to preselect. */
  bank: string | null;
  /** What a Basic backend charges, for showing it before there is a payin. The backend decides the price. */
  amountInCents: number | null;
  /** Currency of that amount. */
  currency: string;
  /** What is being paid, with a Basic backend. */
  description: string | null;
  /** Where the bank sends the payer back to. Default: this page. */
  callbackUrl: string | null;
  /** Where the last button leads. Without it the page listens to `checkout-finished`. */
  finishUrl: string | null;
  /** Hosts the payer may be sent to, separated by spaces; `*.example.com` for subdomains. Default: any with https. */
  redirectHosts: string | null;
  /** Language. Default: the nearest `lang`. */
  locale: string | null;
  /** Shows the checkout in a dialog, opened by `show()`. */
  modal: boolean;
  /** Offers only the hosted payment page. */
  hosted: boolean;
  /** Hosted: shows the link to copy, share and scan instead of following it. */
  share: boolean;
  /** Does not offer payers to have their details remembered on the device, and deletes what was. */
  noRemember: boolean;
  /** Whether a modal checkout is open. */
  open: boolean;
  /** What the page knows of the payer, to fill the form in advance. */
  customer: GivenCustomer | null;
  /** Banks to offer with a Basic backend: a list, its JSON, or the address of that JSON. */
  banks: readonly OfferedBank[] | string | null;
  /** Apps to offer on a phone with a Basic backend: name, address that opens it, path to Bre-B in it. */
  apps: readonly BrebApp[] | null;
  /** The name that payers know the merchant by, with a Basic backend. */
  merchantName: string | null;
  /** How codes look that the checkout draws from their text: dots, colours, your mark; an object or its JSON. */
  qrStyle: QrStyle | string | null;
  /** Your data policy, linked to where personal data are asked for, with a Basic backend. */
  privacyUrl: string | null;
  /** The terms of the sale, with a Basic backend. */
  termsUrl: string | null;
  /** Who is paid, with a Basic backend: the name and how to reach them. */
  merchant: (Partial<Merchant> & Pick<Merchant, 'name'>) | null;
  /** Words to use instead of ours. */
  messages: Partial<Messages> | null;
  /** Extra headers for every call to the backend. */
  headers: Readonly<Record<string, string>> | null;
  /** Whether cookies go along to a backend on another origin. */
  credentials: RequestCredentials | null;
  /** Replaces HTTP: the page's own way to its backend, or the simulator. */
  transport: Transport | null;
}

/** How each of them is set in HTML: by its own name, unless it says otherwise. */
export const PROPERTIES = {
  backend: {},
  order: {},
  level: {},
  rails: {},
  keyType: { attribute: 'key-type' },
  bank: {},
  amountInCents: { attribute: 'amount-in-cents', type: Number },
  currency: {},
  description: {},
  callbackUrl: { attribute: 'callback-url' },
  finishUrl: { attribute: 'finish-url' },
  redirectHosts: { attribute: 'redirect-hosts' },
  locale: {},
  modal: { type: Boolean },
  hosted: { type: Boolean },
  share: { type: Boolean },
  noRemember: { attribute: 'no-remember', type: Boolean },
  open: { type: Boolean, reflect: true },
  customer: { attribute: false },
  banks: {},
  apps: { attribute: false },
  merchantName: { attribute: 'merchant-name' },
  qrStyle: { attribute: 'qr-style' },
  privacyUrl: { attribute: 'privacy-url' },
  termsUrl: { attribute: 'terms-url' },
  merchant: { attribute: false },
  messages: { attribute: false },
  headers: { attribute: false },
  credentials: { attribute: false },
  transport: { attribute: false },
} as const satisfies { readonly [Name in keyof CheckoutProperties]: PropertyDeclaration };
