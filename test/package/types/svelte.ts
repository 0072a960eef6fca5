/** Compiled, never run: what templates of Svelte may write on the tag, and what the compiler must refuse. */
import type { SvelteHTMLElements } from 'svelte/elements';
import type {} from '../../../src/svelte.js';

type Tag = SvelteHTMLElements['pay-checkout'];

export const right: Tag = {
  backend: '/checkout',
  order: null,
  'key-type': 'QR_CODE',
  'amount-in-cents': '4290000',
  modal: true,
  class: 'pay',
  'onpayin-confirmed': ({ payin, resumed }) => console.log(payin.reference, resumed),
  'oncheckout-redirect': (event) => event.preventDefault(),
};

export const wrong: Tag[] = [
  // @ts-expect-error -- no such attribute
  { precio: '4290000' },
  // @ts-expect-error -- not a number
  { 'amount-in-cents': 'mucho' },
  // @ts-expect-error -- not of this event
  { 'onpayin-confirmed': ({ url }) => console.log(url) },
  // @ts-expect-error -- a server would write [object Object]
  { customer: { name: 'Ana' } },
];
