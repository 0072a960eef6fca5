import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { PayCheckout } from '../../src/react.js';
import { offerTag } from '../../src/server/http/read-offer.js';
import { offer } from '../machine/fixtures.js';

describe('the React component on a server', () => {
  it('writes its attributes and its fallback, and nothing that only a browser can use', () => {
    const html = renderToString(
      createElement(
        PayCheckout,
        {
          backend: '/checkout',
          order: 'a "token"',
          keyType: 'QR_CODE',
          amountInCents: 4_290_000,
          modal: true,
          hosted: false,
          className: 'pay',
          customer: { name: 'Ana' },
          onPayinConfirmed: () => undefined,
        },
        createElement('p', null, 'Cargando el pago…'),
      ),
    );
    assert.equal(
      html,
      '<pay-checkout backend="/checkout" order="a &quot;token&quot;" key-type="QR_CODE" amount-in-cents="4290000" modal="" class="pay"><p>Cargando el pago…</p></pay-checkout>',
    );
  });

  it('writes the offer that the kit gave it, as the tag that it is', () => {
    const tag = offerTag(offer({ description: 'Café </script>' }));
    const html = renderToString(
      createElement(PayCheckout, { order: 'token', dangerouslySetInnerHTML: { __html: tag } }),
    );
    assert.match(tag, /^<script type="application\/json">/);
    assert.equal(html, `<pay-checkout order="token">${tag}</pay-checkout>`);
  });
});
