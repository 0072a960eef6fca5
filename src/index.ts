export { PayCheckoutElement } from './element/pay-checkout-element.js';
export { CheckoutClosedEvent, CheckoutErrorEvent, CheckoutReadyEvent } from './element/opening/events.js';
export {
  CheckoutFinishedEvent,
  CheckoutRedirectEvent,
  PayinConfirmedEvent,
  PayinEndedEvent,
  PayinEvent,
  PaymentLinkCompletedEvent,
  PaymentLinkCreatedEvent,
  PaymentLinkExpiredEvent,
} from './element/paying/events.js';
export type { QrStyle } from './element/properties.js';
export type { PayCheckoutEventMap } from './element/events.js';
export type { Messages } from './locales/messages.js';
export type { FailureReason } from './machine/input.js';
export type { Phase } from './machine/state.js';
export { TransportError } from './transport/port.js';
export type {
  CallOptions,
  CreateOptions,
  LoadedOffer,
  ReadOptions,
  Transport,
  TransportErrorKind,
} from './transport/port.js';
export type {
  Attempt,
  BrebAttempt,
  LinkAttempt,
  Offer,
  PayinAttempt,
  Problem,
  PseAttempt,
  Settlement,
} from './contract/backend.js';
export type { Merchant, Method, OfferedBank, BrebApp } from './contract/offer.js';
export type { GivenCustomer, StartLink, StartPayin } from './contract/start.js';
