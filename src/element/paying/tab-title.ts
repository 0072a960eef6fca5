import type { CheckoutEvent } from '../../machine/effect.js';

/** An order was paid as it should be, just now. */
export function isApproval(event: CheckoutEvent): boolean {
  if (event.type !== 'payin-confirmed' && event.type !== 'paymentlink-completed') return false;
  return !event.resumed && !event.amountDiffers && !event.duplicate;
}

/** Says it in the title of a tab that is not seen, until it is: a payer in the bank's tab finds the way back. */
export function sayInTitle(text: string): void {
  if (document.visibilityState !== 'hidden') return;
  const before = document.title;
  document.title = text;
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.title === text) document.title = before;
    },
    { once: true },
  );
}
