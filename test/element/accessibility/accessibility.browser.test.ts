import { expect } from '@open-wc/testing';
import { readFile, writeFile } from '@web/test-runner-commands';
import { html, render } from 'lit';
import { galleryTrees } from './tree.js';

/**
 * What a screen reader finds on every screen of the gallery: test/data/accessibility has it as text, to be read by a
 * person and compared here. `ACCEPT=1 npm test -- element/accessibility` writes it anew. What colours mean stands here.
 */

/** Seen from the built file, which lies among the packages. */
const FOLDER = '../../../../../test/data/accessibility';

/** What the gallery's script looks for. */
const page = html`<form id="controls"></form>
  <main id="wall" style="inline-size: 440px"></main>
  <template id="frame"
    ><figure style="margin: 0"><figcaption></figcaption></figure
  ></template>`;

/** What each result and notice of a screen means by its colour, one by one. */
const MEANT: Record<string, string[]> = {
  positive: ['confirmed', 'confirmed-breb', 'confirmed-late'],
  negative: ['declined', 'declined-limit', 'canceled'],
  caution: [
    ...['price-changed', 'choose-long', 'choose-again', 'details-no-banks'],
    ...['breb', 'breb-touch', 'breb-drawn', 'breb-phone', 'breb-key', 'breb-nothing-yet', 'breb-unreachable'],
    ...['stalled', 'stalled-breb', 'pending', 'pending-blocked', 'lapsed', 'lapsed-pse', 'link-expired'],
    ...['amount-differs', 'amount-more', 'duplicate'],
    ...['failed-network', 'failed-create', 'failed-attempts', 'failed-order'],
  ],
  'caution caution': ['breb-offline', 'breb-replaced'],
  'caution plain': ['breb-qr-failed'],
  'plain caution': ['breb-in-progress'],
  'plain plain caution': ['breb-again'],
  plain: ['preparing', 'redirecting', 'verifying', 'choose-rest'],
};
const COLOURS: Record<string, string> = {
  positive: 'rgb(0, 1, 0)',
  caution: 'rgb(1, 1, 0)',
  negative: 'rgb(1, 0, 0)',
};

describe('every screen of the gallery', () => {
  before(async () => {
    history.replaceState(null, '', '?still&lang=es');
    render(page, document.body);
    // Only now, because the clock of its screens stands by the address.
    await import('../../../demo/gallery/gallery.js');
  });

  it('has for a screen reader what was accepted', async () => {
    const trees = await galleryTrees();
    expect(Object.keys(trees)).to.have.length.greaterThan(50);
    for (const [id, tree] of Object.entries(trees)) {
      const path = `${FOLDER}/${id}.txt`;
      if (process.env['ACCEPT'] === '1') await writeFile({ path, content: tree });
      expect(tree, id).to.equal(await readFile({ path }));
    }
  });

  it('warns, refuses and confirms by colour where that is meant, and nowhere else', () => {
    for (const [meaning, colour] of Object.entries(COLOURS)) {
      document.body.style.setProperty(`--pay-${meaning}`, colour);
    }
    const meant: Record<string, string[]> = {};
    for (const { id, lastElementChild } of document.querySelectorAll('figure')) {
      const coloured = lastElementChild!.shadowRoot!.querySelectorAll('.badge, [part=notice]');
      const meanings = [...coloured].map(meaningOf).join(' ');
      if (meanings) (meant[meanings] ??= []).push(id);
    }
    for (const meaning of new Set([...Object.keys(meant), ...Object.keys(MEANT)])) {
      expect(meant[meaning], meaning).to.have.members(MEANT[meaning] ?? []);
    }
  });
});

function meaningOf(element: Element): string {
  const { color } = getComputedStyle(element);
  return Object.keys(COLOURS).find((meaning) => COLOURS[meaning] === color) ?? 'plain';
}
