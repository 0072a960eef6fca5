import type { HTMLAttributes, VNodeProps } from 'vue';
import type {
  PayCheckoutAttributes,
  PayCheckoutBindings,
  PayCheckoutHandlers,
} from './element/framework-types.js';

/**
 * Types only: with `import 'pay-checkout/vue'` in any file of the project, `<pay-checkout>` completes and type-checks
 * in templates. Vue itself needs nothing but to be told that the tag is a custom element.
 */

type PageAttributes = Omit<HTMLAttributes, keyof PayCheckoutBindings>;

/** What a template may write on the tag. */
export interface PayCheckoutVueProps
  extends PayCheckoutBindings, PayCheckoutAttributes, PayCheckoutHandlers, PageAttributes, VNodeProps {}

declare module 'vue' {
  interface GlobalComponents {
    'pay-checkout': new () => { $props: PayCheckoutVueProps };
  }
}
