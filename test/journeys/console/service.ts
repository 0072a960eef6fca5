import assert from 'node:assert/strict';
import { SANDBOX_DEFAULTS } from '../../../src/sandbox.js';
import { createServiceClient } from '../../../src/service.js';

const { apiKey: API_KEY } = SANDBOX_DEFAULTS;

/** The payment service as programs see it. */
export class Service {
  readonly #url: string;

  constructor(sandboxUrl: string) {
    this.#url = sandboxUrl;
  }

  /** Several at a time, so in no particular order. */
  async createPayins(count: number, prefix: string): Promise<void> {
    const references = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
    const work = async () => {
      for (let reference = references.shift(); reference; reference = references.shift()) {
        await this.#post('/payins', {
          amountInCents: 4_290_000,
          currency: 'COP',
          rail: 'BRE_B',
          reference,
          breb: { keyType: 'SINGLE_USE' },
        });
      }
    };
    await Promise.all(Array.from({ length: 10 }, work));
  }

  /** All of them, newest first. */
  async references(): Promise<string[]> {
    const client = createServiceClient({ baseUrl: this.#url, apiKey: API_KEY });
    const found: string[] = [];
    for await (const { reference } of client.payins.list({ pageSize: 100 })) found.push(reference);
    return found;
  }

  async settle(
    kind: 'payins' | 'payouts',
    reference: string,
    outcome: 'CONFIRMED' | 'DECLINED',
  ): Promise<void> {
    const found = (await this.state())[kind].find((record) => record.reference === reference);
    assert.ok(found, `${kind} with the reference ${reference}`);
    await this.#post(`/_/api/${kind}/${found.id}/settle`, { outcome });
  }

  /** PSE's code of a payment, as its payer reads it. */
  async cusOf(reference: string): Promise<string> {
    const cus = (await this.state()).payins.find((payin) => payin.reference === reference)?.source.cus;
    assert.ok(cus, `${reference} has a CUS`);
    return cus;
  }

  /** Somebody pays a link on the service's own page. */
  async paysLink(address: string): Promise<void> {
    const id = address.split('/').at(-1) ?? '';
    await this.#post(`/_/api/links/${id}/pay`, { rail: 'BRE_B', keyType: 'QR_CODE' });
    const payin = (await this.state()).payins.find(({ paymentLinkId }) => paymentLinkId === id);
    await this.#post(`/_/api/payins/${payin?.id ?? ''}/settle`, { outcome: 'CONFIRMED' });
  }

  /** What goes wrong with the next thing that is created. */
  async arms(...scenarios: readonly string[]): Promise<void> {
    for (const scenario of scenarios)
      await this.#post('/_/api/mishaps', { scope: 'next', scenario, count: 1 });
  }

  async state() {
    return (await (await fetch(`${this.#url}/_/api/state`)).json()) as {
      payins: {
        id: string;
        reference: string;
        paymentLinkId: string | null;
        source: { cus?: string | null };
      }[];
      payouts: { id: string; reference: string; amountInCents: number }[];
      links: { id: string; rail: string | null; bank: string | null; inlineCustomer: object | null }[];
    };
  }

  async #post(path: string, body: object): Promise<void> {
    const response = await fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${response.status}`);
  }
}
