import { describe } from 'vitest';
import { skipWhen } from '../../support/skip-when.js';
import { forgetting, keys, rows } from './contract/orders.js';
import { finding, lines } from './contract/sales.js';
import type { StoreUnderTest } from './contract/support.js';
import { waiting } from './contract/waiting.js';
import { counters, leases, orphans } from './contract/work.js';

/** What those who wait may count on, which depends on how a store hears of other instances. */
export function waitingContract({ name, skip, open }: StoreUnderTest): void {
  describe(`${name} store`, skipWhen(skip), () => waiting(open));
}

/** What every store must do, whatever it is made of. */
export function storeContract({ name, skip, open }: StoreUnderTest): void {
  describe(`${name} store`, skipWhen(skip), () => {
    rows(open);
    keys(open);
    leases(open);
    orphans(open);
    counters(open);
    waiting(open);
    forgetting(open);
    finding(open);
    lines(open);
  });
}
