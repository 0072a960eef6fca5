import { BASE, brebPayin, link, psePayin, startSandbox } from '../harness.js';

export const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp;`;

/** A sandbox whose pages a test opens and whose forms it sends, as a browser without script would. */
export function startPages(options: Parameters<typeof startSandbox>[0] = {}) {
  const started = startSandbox(options);
  const { engine, sandbox } = started;

  const fetchPage = async (path: string, init: RequestInit = {}) => {
    const response = await sandbox.fetch(new Request(BASE + path, init));
    return { status: response.status, headers: response.headers, html: await response.text() };
  };

  return {
    ...started,
    open: (path: string, headers: Record<string, string> = {}) => fetchPage(path, { headers }),
    submit: async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const page = await fetchPage(path, { method: 'POST', headers, body: new URLSearchParams(fields) });
      return { ...page, location: page.headers.get('location') };
    },
    psePayin(change: object = {}) {
      const payin = engine.createPayin({ ...psePayin, ...change });
      if (payin.source.rail !== 'PSE') throw new Error('Not a PSE payin');
      return { id: payin.id, path: `/bank/${payin.source.bankToken}` };
    },
    brebPayin(change: object = {}) {
      const payin = engine.createPayin({ ...brebPayin, ...change });
      return { id: payin.id, path: `/checkout/${payin.id}?token=${payin.checkoutToken}` };
    },
    paymentLink(change: object = {}) {
      const { id } = engine.createLink({ ...link, ...change });
      return { id, path: `/link/${id}` };
    },
    payin(id: string) {
      const record = engine.find(id);
      if (record?.kind !== 'payin') throw new Error('Not a payin');
      return record;
    },
  };
}

/** What a policy says about one thing. */
export function directive(headers: Headers, name: string): string | undefined {
  const policy = headers.get('content-security-policy') ?? '';
  return policy
    .split(';')
    .map((part) => part.trim())
    .find((part) => part === name || part.startsWith(`${name} `));
}
