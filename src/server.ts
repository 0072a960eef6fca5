export {
  createCheckout,
  type Checkout,
  type ExecutionContextLike,
  type TickResult,
} from './server/checkout.js';
export type {
  ChargebackNotice,
  DuplicateNotice,
  Hooks,
  PaymentNotice,
  PayoutNotice,
  ReportKind,
  ReportNotice,
} from './server/hooks.js';
export type { Log, LogEntry, Measurement, Metrics } from './server/log.js';
export type {
  BrebMethodOption,
  CheckoutOptions,
  CheckoutService,
  LinkMethodOption,
  MerchantOption,
  MerchantOrder,
  MethodOption,
  PseMethodOption,
  RateLimits,
} from './server/options.js';
export { OptionsError } from './server/settings.js';
export { memoryStore } from './server/memory-store.js';
export { sqliteStore } from './server/sqlite-store.js';
export {
  KeyTakenError,
  type Decision,
  type Lease,
  type OrderRow,
  type OrderWrite,
  type Orphan,
  type Store,
} from './server/store.js';
