import type { HTMLAttributes } from 'svelte/elements';
import type { PayCheckoutAttributes, PayCheckoutNativeHandlers } from './element/framework-types.js';
import type { PayCheckoutElement } from './element/pay-checkout-element.js';

/**
 * Types only: with `import type {} from 'pay-checkout/svelte'` in any file of the project, `<pay-checkout>` completes
 * and type-checks in templates of Svelte 5. Objects such as `customer` are set by an attachment: as attributes, a server
 * would write them as "[object Object]".
 */

type PageAttributes = Omit<HTMLAttributes<PayCheckoutElement>, keyof PayCheckoutAttributes>;

/** What a template may write on the tag. */
export interface PayCheckoutSvelteProps
  extends PayCheckoutAttributes, PayCheckoutNativeHandlers, PageAttributes {}

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'pay-checkout': PayCheckoutSvelteProps;
  }
}
