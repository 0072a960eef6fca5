export {
  createCheckout,
  type Checkout,
  type ExecutionContextLike,
  type TickResult,
} from './server/checkout.js';
export type {
  AttemptSummary,
  HistoryEntry,
  MoneyOut,
  MoneyOutLine,
  NoticeView,
  OrderView,
  ReconciledPayment,
  ReconcileResult,
  Reconciliation,
  ReviewedOrder,
  ReviewKind,
  ReviewPage,
  ReviewView,
} from './contract/merchant/sales.js';
export type { ForgetResult, OrderOperations } from './server/operations/orders.js';
export type { PayoutInput, RefundInput } from './server/operations/payout-drafts.js';
export {
  LinkError,
  type LinkErrorCode,
  type LinkInput,
  type LinkOperations,
  type LinkPage,
} from './server/operations/links.js';
export { PayoutError, type PayoutErrorCode } from './server/operations/payout-error.js';
export type {
  PayoutOperations,
  PayoutPage,
  RefundOperations,
  SendOptions,
} from './server/operations/payouts.js';
export type { MaskedReceiver, PayoutState, PayoutView } from './contract/merchant/payouts.js';
export type { ReconcileOptions, ReconcilePage } from './server/operations/reconcile.js';
export type { CallStatus, StoreStatus } from './contract/merchant/status.js';
export type { CheckoutStatus } from './server/operations/status.js';
export type {
  ChargebackNotice,
  DuplicateNotice,
  Hooks,
  PaymentNotice,
  PayoutNotice,
  PayoutOutcomeNotice,
  RefundNotice,
  ReportKind,
  ReportNotice,
} from './server/hooks.js';
export type { Line } from './server/line.js';
export type { Log, LogEntry, Measurement, Metrics } from './server/log/log.js';
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
export type { Clock } from './service/clock.js';
export { OptionsError } from './server/settings.js';
export { memoryStore } from './server/stores/memory-store.js';
export { fromPg, fromPostgresJs } from './server/stores/postgres/adapters.js';
export type {
  PostgresPort,
  PostgresQuery,
  PostgresRow,
  PostgresValue,
} from './server/stores/postgres/port.js';
export { postgresStore, type PostgresStoreOptions } from './server/stores/postgres/postgres-store.js';
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './server/stores/sqlite/driver.js';
export { sqliteStore, type SqliteStoreOptions } from './server/stores/sqlite/sqlite-store.js';
export { StoreSchemaError } from './server/stores/sql/schema.js';
export {
  KeyTakenError,
  type Decision,
  type Lease,
  type LineFilter,
  type LineGroup,
  type LinePage,
  type LineRow,
  type LineSum,
  type LineSumQuery,
  type ListQuery,
  type OrderRow,
  type OrderWrite,
  type Orphan,
  type RowFacts,
  type Store,
  type StoreStats,
} from './server/stores/store.js';
