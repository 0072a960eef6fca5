import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { onRead } from '../../../src/server/orders/apply-observation.js';
import { onLinkRead, payinFound } from '../../../src/server/orders/link-payins.js';
import { dueAt } from '../../../src/server/orders/next-task.js';
import { locate, type OrderRecord } from '../../../src/server/orders/record.js';
import { sizeOr } from '../../support/torture.js';
import {
  attempt,
  DAY_MS,
  HOUR_MS,
  isoAt,
  LINK,
  MINUTE_MS,
  observation,
  order,
  PRICE,
  START,
} from './records.js';

const WATCH_MS = 120 * DAY_MS;
const link = attempt({ choice: LINK, expiresAt: START + HOUR_MS });
const ofLink = (name: string) => observation({ serviceId: name, paymentLinkId: 'id-1' });

test('an expired link that is paid after all is final since its first payin, whatever is paid later', () => {
  let record: OrderRecord = order([link]);
  for (const [index, name] of ['first', 'second'].entries()) {
    const at = START + (index + 2) * HOUR_MS;
    const observed = observation({ status: 'EXPIRED', amountInCents: null });
    const reading = { observed, payins: [ofLink(name)], search: 'complete', beganAt: at } as const;
    if (index === 0) record = onLinkRead(record, 'ref-1', { ...reading, payins: [] }, [], START, WATCH_MS);
    record = onLinkRead(record, 'ref-1', reading, [], at, WATCH_MS);
    record = onRead(record, name, { ...ofLink(name), status: 'CONFIRMED' }, [], at, WATCH_MS, PRICE);
  }
  const { status, finalAt, confirmedAmountInCents } = record.attempts[0]?.submissions[0] ?? {};
  assert.deepEqual([status, finalAt, confirmedAmountInCents], ['COMPLETED', START + 2 * HOUR_MS, 2 * PRICE]);
});

interface Step {
  readonly payin: number;
  readonly do: 'find' | 'read' | 'confirm' | 'decline' | 'chargeBack' | 'link';
  readonly isShort: boolean;
  readonly isCut: boolean;
}
const step: fc.Arbitrary<Step> = fc.record({
  payin: fc.nat({ max: 3 }),
  do: fc.constantFrom('find', 'read', 'read', 'confirm', 'decline', 'chargeBack', 'link'),
  isShort: fc.boolean(),
  isCut: fc.boolean(),
});

test('whatever happens to the payins of a link in whatever order, each payment is recorded and reported once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const truth = Array.from({ length: 4 }, (_, index) => ofLink(`payin-${index}`));
      let record: OrderRecord = order([link]);
      let now = START;
      const read = (index: number) => {
        const observed = truth[index];
        const known = observed && locate(record, observed.serviceId);
        if (observed !== undefined && known !== undefined)
          record = onRead(record, observed.serviceId, observed, [], now, WATCH_MS, PRICE);
      };
      const readLink = (isCut: boolean) => {
        const search = isCut ? { beganAt: now, cursor: 'further' } : 'complete';
        const observed = observation({ status: 'EXPIRED', amountInCents: null });
        const payins = isCut ? [] : truth;
        record = onLinkRead(record, 'ref-1', { observed, payins, search, beganAt: now }, [], now, WATCH_MS);
      };
      for (const { payin, isShort, isCut, ...each } of steps) {
        now += MINUTE_MS;
        const known = truth[payin];
        assert.ok(known);
        if (each.do === 'find') record = payinFound(record, 'ref-1', known, now);
        else if (each.do === 'read') read(payin);
        else if (each.do === 'link') readLink(isCut);
        else if (each.do === 'chargeBack') {
          if (known.status === 'CONFIRMED') truth[payin] = { ...known, chargebackAt: isoAt(now) };
        } else if (known.status !== 'CONFIRMED') {
          const status = each.do === 'confirm' ? 'CONFIRMED' : 'DECLINED';
          truth[payin] = { ...known, status, confirmedAmountInCents: isShort ? 1_000 : null };
        }
        if (isCut && each.do === 'link' && record.payments.length === 0) {
          assert.notEqual(record.notices.at(-1)?.hook, 'onConfirmed');
          assert.notEqual(dueAt(record), null, 'a search that was cut short goes on');
        }
      }
      now += MINUTE_MS;
      readLink(false);
      for (const index of truth.keys()) read(index);
      readLink(false);
      const paid = truth.filter(({ status }) => status === 'CONFIRMED').map(({ serviceId }) => serviceId);
      const takenBack = truth.filter(({ chargebackAt }) => chargebackAt !== null).length;
      assert.deepEqual(record.payments.map(({ serviceId }) => serviceId).sort(), paid.sort());
      assert.equal(record.notices.filter(({ hook }) => hook === 'onChargeback').length, takenBack);
      const keys = record.notices.map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length, 'no notice twice');
      const isComplete = truth.some(
        (each) => each.status === 'CONFIRMED' && each.confirmedAmountInCents === null,
      );
      assert.equal(record.notices.filter(({ hook }) => hook === 'onConfirmed').length, isComplete ? 1 : 0);
      const ofMoney = ['onConfirmed', 'onAmountMismatch', 'onDuplicatePayment'];
      const reported = record.notices.filter(({ hook }) => ofMoney.includes(hook));
      assert.deepEqual([...new Set(reported.map(({ payload }) => payload['serviceId']))].sort(), paid);
      const status = record.attempts[0]?.submissions[0]?.status;
      assert.equal(status, paid.length > 0 ? 'COMPLETED' : 'EXPIRED');
      assert.deepEqual(JSON.parse(JSON.stringify(record)), record, 'it can be stored');
    }),
    { numRuns: sizeOr(400, 5_000) },
  );
});
