export { createServiceClient, type ServiceClient } from './service/client.js';
export type { Clock } from './service/clock.js';
export {
  PayoutUnclearError,
  SERVICE_ERROR_KINDS,
  ServiceError,
  type ServiceErrorKind,
} from './service/errors.js';
export type { CallOptions } from './service/http.js';
export type { Credential, Operation } from './service/operations.js';
export type { CredentialSource, ListParameters, ServiceClientOptions } from './service/options.js';
export type { FindOptions, ListDirection, ListOptions, PayinList } from './service/payin-list.js';
export type { Payouts, SendPayoutOptions } from './service/payouts.js';
export type {
  CreatedPaymentLink,
  Receiver,
  ServicePaymentLink,
  ServicePayin,
  ServicePayinPage,
  ServicePayout,
} from './service/resources.js';
export type { RetryPolicy } from './service/retry.js';
export {
  signWebhook,
  verifyWebhook,
  WebhookError,
  type VerifyWebhookOptions,
  type WebhookErrorReason,
  type WebhookSecret,
} from './service/webhook.js';
export { BREB_APPS } from './contract/payer/app-list.js';
export { PSE_BANKS } from './contract/payer/bank-list.js';
export type { Bank } from './contract/payer/banks.js';
export { read, type FieldError, type FieldErrorCode, type Reading } from './contract/schema.js';
export type {
  PaymentLinkEvent,
  PayinEvent,
  PayoutEvent,
  ServiceEvent,
  UnknownEvent,
} from './contract/service/events.js';
export {
  CreatePaymentLinkSchema,
  CreatePayoutSchema,
  type CreatePaymentLink,
  type CreatePayin,
  type CreatePayout,
} from './contract/service/requests.js';
