/** @jsxImportSource preact */
/** Compiled, never run: what Preact applications may write, and what the compiler must refuse. */
import type { PayCheckoutElement } from '../../../src/index.js';
import type {} from '../../../src/preact.js';

export function Tag({ token }: { token: string }) {
  const known = (element: PayCheckoutElement | null): void => {
    if (element) element.customer = { name: 'Ana' };
  };
  return (
    <>
      <pay-checkout
        ref={known}
        backend="/checkout"
        order={token}
        key-type="QR_CODE"
        amount-in-cents={4_290_000}
        modal
        class="pay"
        onClick={({ currentTarget }) => currentTarget.show()}
        onpayin-confirmed={({ payin, resumed }) => console.log(payin.reference, resumed)}
        oncheckout-redirect={(event) => event.preventDefault()}
      >
        <p slot="footer">Pago seguro</p>
      </pay-checkout>
      {/* @ts-expect-error -- no such attribute */}
      <pay-checkout precio="4290000" />
      {/* @ts-expect-error -- not a number */}
      <pay-checkout amount-in-cents="mucho" />
      {/* @ts-expect-error -- not of this event */}
      <pay-checkout onpayin-confirmed={({ url }) => console.log(url)} />
      {/* @ts-expect-error -- Preact would set it as empty text */}
      <pay-checkout order={null} />
      {/* @ts-expect-error -- a server would write [object Object] */}
      <pay-checkout customer={{ name: 'Ana' }} />
    </>
  );
}
