import { expect, waitUntil } from '@open-wc/testing';
import type { PolicyReport } from './policy-page.js';

/** What a careful shop sends with its pages. */
const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "require-trusted-types-for 'script'";

/** Firefox tells of no violation for the witness below, so the page never reports there; to be looked into. */
const reports = !navigator.userAgent.includes('Firefox');

describe('under a strict policy with Trusted Types', () => {
  let frame: HTMLIFrameElement | undefined;

  afterEach(() => {
    frame?.remove();
    delete window.withAnotherLit;
  });

  /** A page of its own, under the policy, that runs every journey. */
  async function journeys(policy: string): Promise<PolicyReport> {
    frame = document.createElement('iframe');
    frame.width = '800';
    frame.height = '900';
    const script = new URL('./policy-page.ts', import.meta.url).href;
    // eslint-disable-next-line no-restricted-properties -- a page of our own, to put a policy on
    frame.srcdoc = `<!doctype html><html lang="es"><meta http-equiv="Content-Security-Policy" content="${policy}">
      <body><script type="module" src="${script}"></script></body></html>`;
    document.body.append(frame);
    await waitUntil(() => frame?.contentWindow?.report, 'the page never reported', { timeout: 60_000 });
    return frame.contentWindow!.report!;
  }

  const everywhere = ['service picture', 'drawn code in a dialog', 'bank, in another language'];

  it('makes whole journeys without one violation', async function () {
    if (!reports) this.skip();
    this.timeout(70_000);
    const report = await journeys(STRICT);
    expect(report.failure).to.equal(null);
    expect(report).to.deep.include({ violations: [], reached: everywhere });
    expect(report.witness.join()).to.contain('style-src');
  });

  it('makes them next to another Lit', async function () {
    if (!reports) this.skip();
    this.timeout(70_000);
    window.withAnotherLit = true;
    const report = await journeys(STRICT);
    expect(report.failure).to.equal(null);
    expect(report).to.deep.include({ violations: [], reached: everywhere });
    expect(report.witness.join()).to.contain('style-src');
  });
});
