import { type Backend, CODE_PICTURE, CODE_TEXT, json } from './backend.js';

/** The merchant's three calls, and of Adyen's servers the status, the code's picture and nothing else. */
export function openAdyen(): Backend {
  let paid = false;
  return {
    orders: [''],
    answer({ url }) {
      const { pathname } = new URL(url);
      if (pathname === '/pagos/paymentMethods') {
        return json({
          countryCode: 'BR',
          amount: { value: 15_000, currency: 'BRL' },
          paymentMethodsResponse: { paymentMethods: [{ name: 'Pix', type: 'pix' }] },
        });
      }
      if (pathname === '/pagos/payments') {
        return json({
          resultCode: 'Pending',
          action: {
            type: 'qrCode',
            paymentMethodType: 'pix',
            paymentData: 'Ab02b4c0',
            qrCodeData: CODE_TEXT,
            expiresAt: new Date(Date.now() + 15 * 60_000).toISOString(),
          },
        });
      }
      if (pathname === '/pagos/details') return json({ resultCode: 'Authorised' });
      if (pathname.endsWith('/services/PaymentInitiation/v1/status')) {
        return json(
          paid
            ? { payload: 'paid', resultCode: 'authorised', type: 'complete' }
            : { payload: '', resultCode: 'pending', type: 'pending' },
        );
      }
      if (pathname.includes('barcode') || pathname.endsWith('.svg')) return picture(pathname);
      return undefined;
    },
    settle: () => void (paid = true),
    close: () => {},
  };
}

function picture(pathname: string): Response {
  if (!pathname.endsWith('.svg')) {
    const [, base64 = ''] = CODE_PICTURE.split(',');
    return new Response(Buffer.from(base64, 'base64'), { headers: { 'content-type': 'image/png' } });
  }
  const logo =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="26"><path d="M0 0h40v26H0z"/></svg>';
  return new Response(logo, { headers: { 'content-type': 'image/svg+xml' } });
}
