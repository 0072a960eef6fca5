import type { PayCheckoutEventMap } from './events.js';
import type { CheckoutProperties, PROPERTIES } from './properties.js';

/** The element as frameworks' type checkers see it: what may be set on it, by either name, and what it tells. */

type PropertyName = keyof CheckoutProperties;

/** Objects, and what has no attribute. */
export type ObjectPropertyName = {
  [Name in PropertyName]: (typeof PROPERTIES)[Name] extends { readonly attribute: false }
    ? Name
    : Extract<CheckoutProperties[Name], object> extends never
      ? never
      : Name;
}[PropertyName];

/** Everything a page may set, by its property's name. */
export type PayCheckoutProperties = {
  [Name in PropertyName]?: CheckoutProperties[Name] | undefined;
};

type AttributeProperty = Exclude<PropertyName, ObjectPropertyName>;

/** What a page may write into HTML, by its attribute's name. */
export type PayCheckoutAttributes = {
  [Name in AttributeProperty as Hyphenated<Name>]?: AttributeValue<CheckoutProperties[Name]> | undefined;
};

/** Everything, for templates that know a property and its attribute by one name. */
export type PayCheckoutBindings = Pick<PayCheckoutProperties, ObjectPropertyName> & {
  [Name in AttributeProperty]?: AttributeValue<CheckoutProperties[Name]> | undefined;
};

/** `onpayin-confirmed`: React, Preact and Svelte listen to what follows `on`, to the letter. */
export type PayCheckoutNativeHandlers = {
  [Name in keyof PayCheckoutEventMap as `on${Name}`]?:
    ((event: PayCheckoutEventMap[Name]) => void) | undefined;
};

/** `onPayinConfirmed` and its kin. */
export type PayCheckoutHandlers = {
  [Name in keyof PayCheckoutEventMap as HandlerName<Name>]?:
    ((event: PayCheckoutEventMap[Name]) => void) | undefined;
};

export type HandlerName<Name extends string> = Name extends `${infer Subject}-${infer Fact}`
  ? `on${Capitalize<Subject>}${Capitalize<Fact>}`
  : never;

/** Numbers are written as text too. */
type AttributeValue<Value> = Value extends number ? Value | `${number}` : Value;

/** `keyType` to `key-type`. */
type Hyphenated<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Hyphenated<Rest>}`
  : '';
