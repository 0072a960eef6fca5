import type { JSX } from 'solid-js';
import type {
  ObjectPropertyName,
  PayCheckoutAttributes,
  PayCheckoutProperties,
} from './element/framework-types.js';
import type { PayCheckoutEventMap } from './element/events.js';
import type { PayCheckoutElement } from './element/pay-checkout-element.js';

/**
 * Types only: with `import type {} from 'pay-checkout/solid'` in any file of the project, `<pay-checkout>` completes and
 * type-checks in JSX. Objects are written as `prop:customer`, which a server leaves out: as attributes, it would write
 * them as "[object Object]".
 */

type PageAttributes = Omit<JSX.HTMLAttributes<PayCheckoutElement>, keyof PayCheckoutAttributes>;

type Properties = {
  [Name in ObjectPropertyName as `prop:${Name}`]?: PayCheckoutProperties[Name];
};

type Listeners = {
  [Name in keyof PayCheckoutEventMap as `on:${Name}`]?:
    ((event: PayCheckoutEventMap[Name]) => void) | undefined;
};

/** What JSX may write on the tag. */
export interface PayCheckoutSolidProps extends PayCheckoutAttributes, Properties, Listeners, PageAttributes {}

declare module 'solid-js' {
  // eslint-disable-next-line @typescript-eslint/no-namespace, no-restricted-syntax -- where Solid keeps the tags it knows
  namespace JSX {
    interface IntrinsicElements {
      'pay-checkout': PayCheckoutSolidProps;
    }
  }
}
