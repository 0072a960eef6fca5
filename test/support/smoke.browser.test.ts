import { expect, fixture, html } from '@open-wc/testing';

class SmokeElement extends HTMLElement {
  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':host { display: block; inline-size: 37px }');
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
  }
}
customElements.define('smoke-element', SmokeElement);

describe('the engine under test', () => {
  it('upgrades custom elements and applies adopted stylesheets', async () => {
    const element = await fixture<SmokeElement>(html`<smoke-element></smoke-element>`);

    expect(element).to.be.instanceOf(SmokeElement);
    expect(element.getBoundingClientRect().width).to.equal(37);
  });

  it('can tell that a comparison of elements failed', () => {
    const compared = { actual: document.body, expected: () => null };
    expect(structuredClone(compared)).to.deep.equal({
      actual: '[object HTMLBodyElement]',
      expected: '() => null',
    });
  });

  it('runs compiled TypeScript with standard class fields', () => {
    class Fields {
      own = 1;
    }
    expect(Object.keys(new Fields())).to.deep.equal(['own']);
  });
});
