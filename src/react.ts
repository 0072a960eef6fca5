'use client';
import {
  createElement,
  forwardRef,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type RefAttributes,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  version,
} from 'react';
import type { PayCheckoutEventMap } from './element/events.js';
import type {
  HandlerName,
  PayCheckoutAttributes,
  PayCheckoutHandlers,
  PayCheckoutNativeHandlers,
  PayCheckoutProperties,
} from './element/framework-types.js';
import { PayCheckoutElement } from './element/pay-checkout-element.js';
import { PROPERTIES } from './element/properties.js';

type PageAttributes = Omit<HTMLAttributes<PayCheckoutElement>, keyof PayCheckoutProperties>;

export interface PayCheckoutProps
  extends PayCheckoutProperties, PayCheckoutHandlers, PageAttributes, RefAttributes<PayCheckoutElement> {}

const HANDLERS = {
  'checkout-ready': 'onCheckoutReady',
  'payin-created': 'onPayinCreated',
  'payin-updated': 'onPayinUpdated',
  'payin-confirmed': 'onPayinConfirmed',
  'payin-declined': 'onPayinDeclined',
  'payin-canceled': 'onPayinCanceled',
  'payin-lapsed': 'onPayinLapsed',
  'paymentlink-created': 'onPaymentlinkCreated',
  'paymentlink-completed': 'onPaymentlinkCompleted',
  'paymentlink-expired': 'onPaymentlinkExpired',
  'checkout-redirect': 'onCheckoutRedirect',
  'checkout-finished': 'onCheckoutFinished',
  'checkout-error': 'onCheckoutError',
  'checkout-closed': 'onCheckoutClosed',
} as const satisfies { readonly [Name in keyof PayCheckoutEventMap]: HandlerName<Name> };

const HANDLER_NAMES = new Set<string>(Object.values(HANDLERS));

const DECLARED: Readonly<Record<string, { readonly attribute?: string | false; readonly type?: unknown }>> = {
  ...PROPERTIES,
  className: { attribute: 'class' },
};

/** Set on the element itself: React on a server has nowhere to put them, and hydration passes them over. */
const isProperty = (name: string, value: unknown): boolean =>
  DECLARED[name]?.attribute === false || (name in PROPERTIES && typeof value === 'object' && value !== null);

type Latest = Omit<PayCheckoutProps, 'ref' | 'children'>;

let defined = false;

const OLDEST_REACT = 17;
if (Number.parseInt(version, 10) < OLDEST_REACT)
  throw new Error(
    `pay-checkout/react needs React ${OLDEST_REACT} or newer, and this is ${version}. <pay-checkout> itself needs no React: import 'pay-checkout/define'`,
  );

/**
 * `<PayCheckout backend="/checkout" order={token} onPayinConfirmed={…} />`: the element with React's manners. The
 * element is registered once its first listener is in place, so that nothing it says is missed, and never on a server.
 */
export const PayCheckout: ForwardRefExoticComponent<PayCheckoutProps> = forwardRef<
  PayCheckoutElement,
  Omit<PayCheckoutProps, 'ref'>
>(function PayCheckout({ children, ...props }, ref) {
  const element = useRef<PayCheckoutElement>(null);
  const latest = useRef<Latest>({});
  useImperativeHandle(ref, () => present(element), []);

  useLayoutEffect(() => {
    const here = present(element);
    const before: Readonly<Record<string, unknown>> = { ...latest.current };
    const now: Readonly<Record<string, unknown>> = { ...props };
    latest.current = { ...props };
    // A property that is never named stays the page's own to set through a ref.
    for (const name of Object.keys({ ...before, ...now })) {
      const value = now[name] ?? null;
      if (isProperty(name, value) || (value === null && isProperty(name, before[name])))
        Object.assign(here, { [name]: value });
    }
  });

  useLayoutEffect(() => {
    const here = present(element);
    const tell = (event: Event): void => {
      const handler = latest.current[HANDLERS[event.type as keyof typeof HANDLERS]];
      // Another checkout inside this one tells its own page.
      if (event.target === here) (handler as ((event: Event) => void) | undefined)?.(event);
    };
    for (const name of Object.keys(HANDLERS)) here.addEventListener(name, tell);
    if (!defined) PayCheckoutElement.define();
    defined = true;
    return () => {
      for (const name of Object.keys(HANDLERS)) here.removeEventListener(name, tell);
    };
  }, []);

  const attributes = Object.entries(props)
    .filter(([name, value]) => !HANDLER_NAMES.has(name) && !isProperty(name, value))
    .map(([name, value]) => [DECLARED[name]?.attribute || name, attributeValue(value)] as const);
  return createElement('pay-checkout', { ...Object.fromEntries(attributes), ref: element }, children);
});

/** Before React 19 a custom element gets `false` as a text. */
function attributeValue(value: unknown): unknown {
  if (value === true) return '';
  return value === false ? undefined : value;
}

/** It is there once React has put it on the page, which is before any effect runs. */
function present({ current }: RefObject<PayCheckoutElement | null>): PayCheckoutElement {
  if (!current) throw new Error('The checkout is not on the page');
  return current;
}

/** `<pay-checkout>` itself in JSX, for pages that import `pay-checkout/define` instead. */
export interface PayCheckoutTag
  extends
    PayCheckoutProperties,
    PayCheckoutAttributes,
    PayCheckoutNativeHandlers,
    PageAttributes,
    RefAttributes<PayCheckoutElement> {}

declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace, no-restricted-syntax -- where React keeps the tags it knows
  namespace JSX {
    interface IntrinsicElements {
      'pay-checkout': PayCheckoutTag;
    }
  }
}
