/** @jsxImportSource solid-js */
/** Compiled, never run: what Solid applications may write, and what the compiler must refuse. */
import type { PayCheckoutElement } from '../../../src/index.js';
import type {} from '../../../src/solid.js';

export function Tag(props: { token: string | null }) {
  let checkout: PayCheckoutElement | undefined;
  return (
    <>
      <pay-checkout
        ref={checkout}
        backend="/checkout"
        order={props.token}
        key-type="QR_CODE"
        amount-in-cents={4_290_000}
        modal
        class="pay"
        prop:customer={{ name: 'Ana', idType: 'CO_CC' }}
        onClick={() => checkout?.show()}
        on:payin-confirmed={({ payin, resumed }) => console.log(payin.reference, resumed)}
        on:checkout-redirect={(event) => event.preventDefault()}
      >
        <p slot="footer">Pago seguro</p>
      </pay-checkout>
      {/* @ts-expect-error -- no such attribute */}
      <pay-checkout precio="4290000" />
      {/* @ts-expect-error -- not a number */}
      <pay-checkout amount-in-cents="mucho" />
      {/* @ts-expect-error -- no such document */}
      <pay-checkout prop:customer={{ idType: 'DNI' }} />
      {/* @ts-expect-error -- not of this event */}
      <pay-checkout on:payin-confirmed={({ url }) => console.log(url)} />
      {/* @ts-expect-error -- a server would write [object Object] */}
      <pay-checkout customer={{ name: 'Ana' }} />
    </>
  );
}
