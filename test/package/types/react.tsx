/** Compiled, never run: what React applications may write, and what the compiler must refuse. */
import { useRef } from 'react';
import type { PayCheckoutElement } from '../../../src/index.js';
import { PayCheckout } from '../../../src/react.js';

export function Wrapped({ token }: { token: string }) {
  const checkout = useRef<PayCheckoutElement>(null);
  return (
    <>
      <PayCheckout
        ref={checkout}
        backend="/checkout"
        order={token}
        keyType="QR_CODE"
        amountInCents={4_290_000}
        modal
        customer={{ name: 'Ana' }}
        headers={{ 'x-shop': '1' }}
        className="pay"
        style={{ maxWidth: '40rem' }}
        data-test="1"
        onClick={() => checkout.current?.show()}
        onPayinConfirmed={({ payin, resumed }) => console.log(payin.reference, resumed)}
        onCheckoutRedirect={(event) => event.preventDefault()}
        onPaymentlinkCompleted={({ link }) => console.log(link.paymentLinkUrl)}
      >
        <p slot="footer">Pago seguro</p>
      </PayCheckout>
      {/* @ts-expect-error -- cents are a number */}
      <PayCheckout amountInCents="4290000" />
      {/* @ts-expect-error -- no such event */}
      <PayCheckout onPayinPaid={() => undefined} />
      {/* @ts-expect-error -- not of this event */}
      <PayCheckout onPayinConfirmed={({ url }) => console.log(url)} />
      {/* @ts-expect-error -- the element's own */}
      <PayCheckout phase="confirmed" />
      {/* @ts-expect-error -- no such document */}
      <PayCheckout customer={{ idType: 'DNI' }} />
    </>
  );
}

export function Tag({ token }: { token: string }) {
  return (
    <>
      <pay-checkout
        backend="/checkout"
        order={token}
        key-type="QR_CODE"
        amount-in-cents="4290000"
        onpayin-confirmed={({ payin }) => console.log(payin.reference)}
        onpayin-declined={(event) => console.log(event.resumed)}
      >
        <p slot="footer">Pago seguro</p>
      </pay-checkout>
      {/* @ts-expect-error -- not a number */}
      <pay-checkout amount-in-cents="mucho" />
      {/* @ts-expect-error -- not of this event */}
      <pay-checkout onpayin-confirmed={({ url }) => console.log(url)} />
    </>
  );
}
