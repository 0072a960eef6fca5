/** The merchant's console: its page and its backend, over a checkout, its store and the payment service. */
export { createConsole, type Console, type ConsoleOptions } from './console/backend/create-console.js';
export {
  attemptsOf,
  type AttemptOperations,
  type AttemptsQuery,
  type AttemptState,
} from './console/backend/attempts.js';
export type {
  AttemptListItem,
  AttemptListPage,
  AttemptTotals,
  Collected,
  MethodFigures,
  Overview,
  Periods,
} from './contract/merchant/sales.js';
