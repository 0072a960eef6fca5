/** Compiled, never run: what pages with plain TypeScript may write, and what the compiler must refuse. */
import {
  PayCheckoutElement,
  type PayCheckoutEventMap,
  type PayinAttempt,
  type Phase,
} from '../../../src/index.js';

export function page(): void {
  const made: PayCheckoutElement = document.createElement('pay-checkout');
  const found = document.querySelector('pay-checkout');
  if (!found) return;

  found.order = 'a token';
  found.order = null;
  found.amountInCents = 4_290_000;
  found.customer = { name: 'Ana', idType: 'CO_CC' };
  found.messages = { retry: 'Otra vez' };
  found.credentials = 'include';
  found.show();
  const phase: Phase = found.phase;
  const payin: PayinAttempt | null = made.payin;
  console.log(phase, payin);

  // @ts-expect-error -- cents are a number
  found.amountInCents = '4290000';
  // @ts-expect-error -- no such document
  found.customer = { idType: 'DNI' };
  // @ts-expect-error -- no such word
  found.messages = { retri: 'Otra vez' };
  // @ts-expect-error -- the element's own
  found.phase = 'confirmed';
  // @ts-expect-error -- no such method
  console.log(found.pay);
}

export function listening(element: PayCheckoutElement): void {
  element.addEventListener('payin-confirmed', (event) => {
    const { payin, resumed, late, amountDiffers, duplicate } = event;
    const facts: boolean[] = [resumed, late, amountDiffers, duplicate];
    console.log(payin.reference, facts);
    // @ts-expect-error -- not of this event
    console.log(event.url);
  });
  element.addEventListener('checkout-redirect', (event) => {
    event.preventDefault();
    console.log(event.url.length, event.attempt.kind);
  });
  // They bubble, so any ancestor hears them too.
  document.body.addEventListener('checkout-error', ({ reason, message }) => console.log(reason, message));
  // @ts-expect-error -- a listener of another event
  element.addEventListener('payin-declined', (event: PayCheckoutEventMap['checkout-ready']) => {
    console.log(event.offer);
  });
}

PayCheckoutElement.define('mi-pago');
// @ts-expect-error -- a name is text
PayCheckoutElement.define(1);
