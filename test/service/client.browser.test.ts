import { expect } from '@open-wc/testing';
import { createSandbox, SANDBOX_DEFAULTS } from '../../src/sandbox.js';
import { createServiceClient, ServiceError, signWebhook, verifyWebhook } from '../../src/service.js';

/** The client uses nothing but web standards: it runs inside a page as it does on a server. */
describe('the client of the payment service in a page', () => {
  it('creates, reads and lists payins, and sends a payout', async () => {
    const sandbox = createSandbox({ autoOutcome: 'never' });
    const client = createServiceClient({
      baseUrl: 'https://sandbox.localhost',
      apiKey: SANDBOX_DEFAULTS.apiKey,
      accessToken: SANDBOX_DEFAULTS.accessToken,
      fetch: (request) => sandbox.fetch(request),
    });
    const breb = { keyType: 'QR_CODE' } as const;
    const payin = await client.payins.create({
      amountInCents: 4_590_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'order-1',
      breb,
    });
    expect((await client.payins.retrieve(payin.id)).sourceData?.keyType).to.equal('QR_CODE');
    expect((await client.findPayinByReference('order-1'))?.id).to.equal(payin.id);
    const payout = await client.payouts.send(
      {
        amountInCents: 100_000,
        currency: 'COP',
        rail: 'BRE_B',
        reference: 'refund-1',
        inlineCustomer: {
          name: 'Persona de Prueba',
          idType: 'CO_CC',
          idNumber: '1000000001',
          phone: '+573000000000',
          email: 'persona@prueba.example',
        },
        breb: { keyString: '@prueba1' },
      },
      { confirmReceiver: ({ keyString }) => keyString === '@prueba1' },
    );
    expect(payout.status).to.equal('PROCESSING');
    sandbox.close();
  });

  it('uses the page’s own fetch', async () => {
    const client = createServiceClient({ baseUrl: location.origin, apiKey: 'any', retry: { maxTries: 1 } });
    const error: unknown = await client.payins.retrieve('unknown').catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ServiceError);
    expect((error as ServiceError).kind).to.equal('not_found');
  });

  it('verifies webhooks', async () => {
    const secret = { header: 'x-hook', secret: 'hook_1' };
    const request = new Request(location.href, {
      method: 'POST',
      headers: signWebhook(secret),
      body: JSON.stringify({ event: 'payin.reversed' }),
    });
    expect(await verifyWebhook(request, secret)).to.deep.equal({
      resource: 'unknown',
      event: 'payin.reversed',
    });
  });
});
