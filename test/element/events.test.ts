import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { CheckoutEvent } from '../../src/machine/effect.js';
import type { FailureReason } from '../../src/machine/input.js';
import {
  CheckoutClosedEvent,
  CheckoutErrorEvent,
  CheckoutReadyEvent,
  openingEvent,
} from '../../src/element/opening/events.js';
import {
  CheckoutFinishedEvent,
  CheckoutRedirectEvent,
  PayinConfirmedEvent,
  PayinEndedEvent,
  PayinEvent,
  PaymentLinkCompletedEvent,
  PaymentLinkCreatedEvent,
  PaymentLinkExpiredEvent,
  payingEvent,
} from '../../src/element/paying/events.js';
import { breb, link, offer, pse } from '../machine/fixtures.js';

/** What a page reads of an event, beside what every event has. */
const fieldsOf = (event: Event) =>
  Object.fromEntries(Object.entries(event).filter(([key]) => key !== 'isTrusted'));

const facts = { resumed: true, late: false, amountDiffers: true, duplicate: false };
const otherFacts = { resumed: false, late: true, amountDiffers: false, duplicate: true };

const TOLD: readonly (readonly [new (...facts: never[]) => Event, CheckoutEvent])[] = [
  [CheckoutReadyEvent, { type: 'checkout-ready', offer: offer() }],
  [CheckoutReadyEvent, { type: 'checkout-ready', offer: null }],
  [PayinEvent, { type: 'payin-created', payin: breb() }],
  [PayinEvent, { type: 'payin-updated', payin: breb() }],
  [PayinConfirmedEvent, { type: 'payin-confirmed', payin: breb(), ...facts }],
  [PayinConfirmedEvent, { type: 'payin-confirmed', payin: breb(), ...otherFacts }],
  [PayinEndedEvent, { type: 'payin-declined', payin: pse(), resumed: true }],
  [PayinEndedEvent, { type: 'payin-canceled', payin: pse(), resumed: false }],
  [PayinEndedEvent, { type: 'payin-lapsed', payin: pse(), resumed: false }],
  [PaymentLinkCreatedEvent, { type: 'paymentlink-created', link: link() }],
  [PaymentLinkCompletedEvent, { type: 'paymentlink-completed', link: link(), ...facts }],
  [PaymentLinkCompletedEvent, { type: 'paymentlink-completed', link: link(), ...otherFacts }],
  [PaymentLinkExpiredEvent, { type: 'paymentlink-expired', link: link(), resumed: true }],
  [CheckoutClosedEvent, { type: 'checkout-closed' }],
];

const domEvent = (event: CheckoutEvent): Event => openingEvent(event) ?? payingEvent(event);

describe('an event', () => {
  for (const [Class, told] of TOLD) {
    const { type, ...fields } = told;
    it(`${type} has its facts, reaches every ancestor and cannot be canceled`, () => {
      const event = domEvent(told);
      assert.ok(event instanceof Class);
      assert.deepEqual(
        [event.type, event.bubbles, event.composed, event.cancelable],
        [type, true, true, false],
      );
      assert.deepEqual(fieldsOf(event), fields);
    });
  }

  it('that announces an intent can be canceled', () => {
    const redirect = new CheckoutRedirectEvent('https://bank.example/', pse());
    const finished = new CheckoutFinishedEvent(null);
    for (const event of [redirect, finished]) {
      assert.deepEqual([event.bubbles, event.composed, event.cancelable], [true, true, true]);
    }
    assert.deepEqual(fieldsOf(redirect), { url: 'https://bank.example/', attempt: pse() });
    assert.deepEqual(fieldsOf(finished), { attempt: null });
  });
});

describe('the event of an error', () => {
  const told = (reason: FailureReason, detail?: string) =>
    fieldsOf(domEvent({ type: 'checkout-error', reason, ...(detail !== undefined && { detail }) }));

  it('has what its call had to say', () => {
    const event = domEvent({ type: 'checkout-error', reason: 'network', detail: 'GET /orders: no answer' });
    assert.ok(event instanceof CheckoutErrorEvent);
    assert.deepEqual(
      [event.type, event.bubbles, event.composed, event.cancelable],
      ['checkout-error', true, true, false],
    );
    assert.deepEqual(fieldsOf(event), { reason: 'network', message: 'GET /orders: no answer' });
    assert.equal(told('no_methods', 'as it was')['message'], 'as it was');
  });

  it('names what the page’s engineer can change where no call failed', () => {
    for (const [reason, named] of [
      ['no_methods', '"rails"'],
      ['not_found', 'address'],
      ['unsafe_address', '"redirect-hosts"'],
      ['part_missing', 'file'],
      ['misconfigured', '"order"'],
    ] as const) {
      const { message } = told(reason);
      assert.ok(String(message).includes(named), `${reason}: ${String(message)}`);
    }
  });

  it('has at least its reason', () => {
    assert.deepEqual(told('malformed'), { reason: 'malformed', message: 'malformed' });
  });
});
