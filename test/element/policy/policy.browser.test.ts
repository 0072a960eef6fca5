import { expect, waitUntil } from '@open-wc/testing';
import type { PolicyReport } from './policy-page.js';
import { PATIENCE_MS } from '../../support/patience.js';

describe('under a strict policy with Trusted Types', () => {
  let frame: HTMLIFrameElement | undefined;

  afterEach(() => {
    frame?.remove();
    delete window.withAnotherLit;
  });

  /** A page of its own, under a policy of its own, that runs every journey. */
  async function journeys(page: string): Promise<PolicyReport> {
    frame = document.createElement('iframe');
    frame.width = '800';
    frame.height = '900';
    // A page with an address: in one without, Firefox takes nothing for the page's own.
    frame.src = new URL(page, import.meta.url).href;
    document.body.append(frame);
    await waitUntil(() => frame?.contentWindow?.report, 'the page never reported', { timeout: PATIENCE_MS });
    return frame.contentWindow!.report!;
  }

  const everywhere = ['service picture', 'drawn code in a dialog', 'bank, in another language'];

  for (const [name, page, anotherLit] of [
    ['makes whole journeys without a violation', './policy.html', false],
    ['makes them next to another Lit', './policy.html', true],
    ['makes them where only the policy of Lit has leave', './policy-named.html', false],
  ] as const) {
    it(name, async function () {
      window.withAnotherLit = anotherLit;
      const report = await journeys(page);

      expect(report.failure).to.be.null;
      expect(report).to.deep.include({ violations: [], reached: everywhere });
    });
  }

  it('leaves the page’s own words standing where no policy has leave', async function () {
    // Where the browser knows no Trusted Types there is nothing to refuse.
    if (!('trustedTypes' in window)) this.skip();
    const report = await journeys('./policy-none.html');

    expect(report.failure).to.contain('lit-html');
    expect(report.reached).to.be.empty;
    expect(frame!.contentDocument!.body.innerText).to.contain('Paga por teléfono');
  });
});
