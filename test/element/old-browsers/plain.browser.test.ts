import { expect, waitUntil } from '@open-wc/testing';
import { Payer, clearPage } from '../support/harness.js';
import type { PlainReport } from './plain-page.js';
import { PATIENCE_MS } from '../../support/patience.js';

describe('in a browser that lacks what came after 2023', () => {
  let frame: HTMLIFrameElement | undefined;

  afterEach(() => frame?.remove());

  it('a payer pays with both rails', async function () {
    frame = document.createElement('iframe');
    frame.width = '800';
    frame.height = '900';
    frame.src = new URL('./plain.html', import.meta.url).href;
    document.body.append(frame);
    await waitUntil(() => frame?.contentWindow?.plain, 'the page never reported', { timeout: PATIENCE_MS });
    const report: PlainReport = frame.contentWindow!.plain!;

    expect(report.failure).to.be.null;
    expect(report.reached).to.deep.equal([
      'paid with Bre-B',
      'closed a dialog',
      'paid with PSE',
      'copied a link',
    ]);
    expect(report.errors).to.deep.equal([]);
    // Each engine has most of it, and what it has is gone.
    expect(report.removed.length).to.be.above(25);
    expect(report.removed).to.include.members(['withResolvers', 'locks', 'BroadcastChannel', 'randomUUID']);
  });

  it('a payer pays where states must begin with dashes', async () => {
    const { prototype } = CustomStateSet;
    const own = Object.getOwnPropertyDescriptor(prototype, 'add')!;
    let refused = 0;
    Object.defineProperty(prototype, 'add', {
      ...own,
      value: () => {
        refused += 1;
        throw new DOMException('The specified value must start with --', 'SyntaxError');
      },
    });
    try {
      const payer = Payer.arrives();
      await payer.press('Pagar con Bre-B');
      await payer.sees('@tienda123');
      expect(refused).to.be.above(0);
    } finally {
      Object.defineProperty(prototype, 'add', own);
      clearPage();
    }
  });
});
