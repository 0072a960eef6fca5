import type { CheckoutClosedEvent, CheckoutErrorEvent, CheckoutReadyEvent } from './opening/events.js';
import type {
  PayinEvent,
  PayinConfirmedEvent,
  PayinEndedEvent,
  PaymentLinkCreatedEvent,
  PaymentLinkCompletedEvent,
  PaymentLinkExpiredEvent,
  CheckoutRedirectEvent,
  CheckoutFinishedEvent,
} from './paying/events.js';

export interface PayCheckoutEventMap {
  'checkout-ready': CheckoutReadyEvent;
  'payin-created': PayinEvent;
  'payin-updated': PayinEvent;
  'payin-confirmed': PayinConfirmedEvent;
  'payin-declined': PayinEndedEvent;
  'payin-canceled': PayinEndedEvent;
  'payin-lapsed': PayinEndedEvent;
  'paymentlink-created': PaymentLinkCreatedEvent;
  'paymentlink-completed': PaymentLinkCompletedEvent;
  'paymentlink-expired': PaymentLinkExpiredEvent;
  'checkout-redirect': CheckoutRedirectEvent;
  'checkout-finished': CheckoutFinishedEvent;
  'checkout-error': CheckoutErrorEvent;
  'checkout-closed': CheckoutClosedEvent;
}
