import { type Backend, json } from './backend.js';

/** An invoice of the Lightning specification's examples: 2,500 micro-bitcoin, one cup of coffee. */
const INVOICE =
  'lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh';

/** bitcoin-connect has no servers of its own: the merchant's gives the invoice and knows when it is paid. */
export function openBitcoinConnect(): Backend {
  let paid = false;
  return {
    orders: [''],
    answer({ url }) {
      const { pathname } = new URL(url);
      if (pathname === '/pagos/invoice') return json({ invoice: INVOICE });
      if (pathname === '/pagos/paid') return json({ preimage: paid ? '00'.repeat(32) : null });
      return undefined;
    },
    settle: () => void (paid = true),
    close: () => {},
  };
}
