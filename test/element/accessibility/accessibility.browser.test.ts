import { expect } from '@open-wc/testing';
import { readFile, writeFile } from '@web/test-runner-commands';
import { html, render } from 'lit';
import { galleryTrees } from './tree.js';

/**
 * What a screen reader finds on every screen of the gallery: test/data/accessibility has it as text, to be read by a
 * person and compared here. `ACCEPT=1 npm test -- element/accessibility` writes it anew.
 */

/** Seen from the built file, which lies among the packages. */
const FOLDER = '../../../../../test/data/accessibility';

/** What the gallery's script looks for. */
const page = html`<form id="controls"></form>
  <main id="wall" style="inline-size: 440px"></main>
  <template id="frame"
    ><figure style="margin: 0"><figcaption></figcaption></figure
  ></template>`;

describe('a screen reader', () => {
  it('finds on every screen what was accepted', async () => {
    history.replaceState(null, '', '?still&lang=es');
    render(page, document.body);
    // Only now, because the clock of its screens stands by the address.
    await import('../../../demo/gallery/gallery.js');
    const trees = await galleryTrees();
    expect(Object.keys(trees)).to.have.length.greaterThan(50);
    for (const [id, tree] of Object.entries(trees)) {
      const path = `${FOLDER}/${id}.txt`;
      if (process.env['ACCEPT'] === '1') await writeFile({ path, content: tree });
      expect(tree, id).to.equal(await readFile({ path }));
    }
  });
});
