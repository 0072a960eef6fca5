/** Compiled by itself, never run: one import gives a page the tag and its events, wherever it listens. */
import '../../../src/define.js';

document.querySelector('pay-checkout')?.show();
document.querySelector('pay-checkout')?.addEventListener('payin-confirmed', ({ payin, late }) => {
  console.log(payin.reference.length, late);
});
document.addEventListener('checkout-redirect', (event) => console.log(event.url.length, event.attempt.kind));
document.body.addEventListener('checkout-error', ({ reason, message }) => console.log(reason, message));
window.addEventListener('paymentlink-completed', ({ link }) => console.log(link.paymentLinkUrl));
// @ts-expect-error -- not of this event
document.addEventListener('checkout-ready', ({ payin }) => console.log(payin));
