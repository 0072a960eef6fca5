import type { ClassAttributes, HTMLAttributes } from 'preact';
import type { PayCheckoutAttributes, PayCheckoutNativeHandlers } from './element/framework-types.js';
import type { PayCheckoutElement } from './element/pay-checkout-element.js';

/**
 * Types only: with `import type {} from 'pay-checkout/preact'` in any file of the project, `<pay-checkout>` completes
 * and type-checks in JSX. Objects such as `customer` are set through a ref: as attributes, a server would write them as
 * "[object Object]".
 */

/** Preact sets null as empty text, which is no token and no address. */
type Attributes = { [Name in keyof PayCheckoutAttributes]: Exclude<PayCheckoutAttributes[Name], null> };

type PageAttributes = Omit<HTMLAttributes<PayCheckoutElement>, keyof PayCheckoutAttributes>;

/** What JSX may write on the tag. */
export interface PayCheckoutPreactProps
  extends Attributes, PayCheckoutNativeHandlers, PageAttributes, ClassAttributes<PayCheckoutElement> {}

declare module 'preact' {
  // eslint-disable-next-line @typescript-eslint/no-namespace, no-restricted-syntax -- where Preact keeps the tags it knows
  namespace JSX {
    interface IntrinsicElements {
      'pay-checkout': PayCheckoutPreactProps;
    }
  }
}
