import { type Backend, CODE_PICTURE, json, NO_PICTURE } from './backend.js';

const API = 'https://api.sandbox.primer.io';
const METHOD = 'OMISE_PROMPTPAY';

/**
 * Primer's configuration and payments, and a stand-in for the page in its hidden frame, through which all its calls
 * go: that page is not published, so its bytes and its work are missing from Primer's figures.
 */
export function openPrimer(): Backend {
  let paid = false;
  const payment = (status: string) => ({
    id: 'pay-1',
    orderId: 'A-1042',
    status,
    amount: 4_990_000,
    currencyCode: 'THB',
    date: new Date().toISOString(),
    ...(status === 'PENDING'
      ? {
          requiredAction: {
            name: `${METHOD}_REDIRECTION`,
            description: '',
            clientToken: token({
              intent: `${METHOD}_REDIRECTION`,
              statusUrl: `${API}/resume/1`,
              qrCode: CODE_PICTURE,
              accessToken: 'second',
            }),
          },
        }
      : {}),
  });
  return {
    orders: [
      token({
        accessToken: 'first',
        configurationUrl: `${API}/configuration`,
        env: 'SANDBOX',
        intent: 'CHECKOUT',
      }),
    ],
    answer({ url, method }) {
      const { pathname } = new URL(url);
      if (pathname.endsWith('/api-controller.html')) {
        return new Response(frame, { headers: { 'content-type': 'text/html' } });
      }
      if (pathname.startsWith('/currency-information/')) return json([{ c: 'THB', m: 2 }]);
      if (pathname === '/configuration') return json(configuration);
      if (pathname === '/client-session/actions') return json(configuration);
      if (pathname === '/payment-instruments') {
        return json(
          method === 'POST'
            ? {
                token: 'instrument-1',
                analyticsId: 'a',
                tokenType: 'SINGLE_USE',
                paymentInstrumentType: 'OFF_SESSION_PAYMENT',
                paymentInstrumentData: {},
              }
            : { data: [] },
        );
      }
      if (pathname === '/payments') return json(payment('PENDING'));
      if (pathname === '/payments/pay-1/resume') return json(payment('SUCCESS'));
      if (pathname === '/resume/1')
        return json({ status: paid ? 'COMPLETE' : 'PENDING', id: 'resume-token' });
      if (pathname.includes('sdk-analytic-events') || pathname.includes('log')) return json({});
      return undefined;
    },
    settle: () => void (paid = true),
    close: () => {},
  };
}

function token(claims: Record<string, unknown>): string {
  const exp = Math.floor(Date.now() / 1_000) + 86_400;
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode({ exp, ...claims })}.`;
}

const configuration = {
  primerAccountId: 'account',
  env: 'SANDBOX',
  coreUrl: API,
  pciUrl: API,
  assetsUrl: API,
  keys: {},
  checkoutModules: [],
  clientSession: {
    clientSessionId: 'session-1',
    orderId: 'A-1042',
    order: { totalOrderAmount: 4_990_000, merchantAmount: 4_990_000, currencyCode: 'THB', countryCode: 'TH' },
    paymentMethod: { options: [] },
    customer: {},
  },
  paymentMethods: [
    {
      id: 'method-1',
      type: METHOD,
      name: 'PromptPay',
      processorConfigId: 'p1',
      implementationType: 'NATIVE_SDK',
      displayMetadata: {
        button: {
          text: 'PromptPay',
          backgroundColor: { colored: '#FFFFFF' },
          iconUrl: { colored: NO_PICTURE },
        },
      },
      options: {},
    },
  ],
};

/** Answers the frame's one message, "fetch this", with the shape that the library expects. */
const frame = `<!doctype html><script>
addEventListener('message', async ({ data, source }) => {
  if (data?.type !== 'apply' || data.sender !== 'injector') return;
  const [url, init] = data.args;
  const response = await fetch(url, { method: init.method, headers: init.headers, body: init.body });
  const body = await response.json().catch(() => null);
  const answer = { id: init.id, status: response.status, headers: {}, data: body };
  source.postMessage({ namespace: data.namespace, sender: 'provider', type: 'apply', id: data.id, data: answer }, '*');
});
</script>`;
