import { expect } from '@open-wc/testing';
import { Payer, clearPage } from '../support/harness.js';

const DARK_TEXT = 'rgb(0, 0, 0)';

/** The text of the main button, in a checkout whose page sets these. */
async function textOn(colours: Readonly<Record<string, string>>): Promise<string> {
  const payer = Payer.arrives();
  for (const [name, value] of Object.entries(colours)) payer.element.style.setProperty(name, value);
  await payer.reaches('choosing');
  await payer.until(() => payer.element.shadowRoot!.querySelector('button.btn'));
  return getComputedStyle(payer.element.shadowRoot!.querySelector('button.btn')!).color;
}

describe('the text on an accent', () => {
  afterEach(clearPage);

  it('can be read on the accent of a page that sets no other colour', async function () {
    if (!CSS.supports('color', 'contrast-color(red)')) this.skip();
    expect(await textOn({ '--pay-accent': '#ffe08a' })).to.equal(DARK_TEXT);
    expect(await textOn({ '--pay-accent': '#123456' })).to.equal('rgb(255, 255, 255)');
  });

  it('is the page’s own where it sets one', async () => {
    const own = { '--pay-accent': '#ffe08a', '--pay-on-accent': 'rgb(60, 40, 0)' };
    expect(await textOn(own)).to.equal('rgb(60, 40, 0)');
  });

  it('is ours on our accent', async () => {
    expect(await textOn({})).to.equal('rgb(255, 255, 255)');
  });
});
