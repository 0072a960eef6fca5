import { expect } from '@open-wc/testing';
import type { Attempt, Offer, PseAttempt } from '../../src/contract/backend.js';
import type { Method } from '../../src/contract/offer.js';
import type { Phase } from '../../src/machine/state.js';
import { breb, brebMethod, link, offer, paid, pse } from '../machine/fixtures.js';
import { CannedTransport } from './support/canned-transport.js';
import { Payer, clearPage } from './support/harness.js';

/** Whatever a backend or a bank's name says is shown as text, on every screen: it is never markup, code or an address. */

const RUN = 'globalThis.wasRun=1';
/** Ways in which text becomes code when somebody is careless, for each place where it could end up. */
const HOSTILE: readonly string[] = [
  // as markup
  ...[
    '<script>',
    '<svg><script>',
    '<math><script>',
    '<template><script>',
    '</style><script>',
    '--><script>',
  ].map((start) => `${start}${RUN}</script>`),
  ...[
    'img src=x onerror',
    'svg onload',
    'video src=x onerror',
    'input autofocus onfocus',
    'details open ontoggle',
    'iframe onload',
    'p tabindex=0 onpointerenter',
  ].map((start) => `<${start}="${RUN}">`),
  `<iframe srcdoc="<script>parent.wasRun=1</script>">`,
  `<object data="javascript:${RUN}">`,
  `<embed src="javascript:${RUN}">`,
  `<base href="javascript:${RUN}//">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<form action="javascript:${RUN}"><button>`,
  `<a href="javascript:${RUN}">`,
  `<math href="javascript:${RUN}">`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload='${RUN}'/>#x">`,
  `<link rel=stylesheet href="data:text/css,*{display:none}">`,
  // out of an attribute
  ...[`"`, `'`, '`', ''].map((quote) => `${quote} onpointerenter=${RUN} autofocus onfocus=${RUN} x=${quote}`),
  ...[`"`, `'`].map((quote) => `${quote}><img src=x onerror=${RUN}>`),
  // as an address
  ...[
    'javascript:',
    'JaVaScRiPt:',
    ' javascript:',
    'java\tscript:',
    'java\nscript:',
    '\u0001javascript:',
    'vbscript:',
  ].map((scheme) => `${scheme}${RUN}`),
  `data:text/html,<script>parent.wasRun=1</script>`,
  // as a style, an expression or a template
  `</style><style>*{visibility:hidden}`,
  `;background:url(javascript:${RUN})`,
  `\${${RUN}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `<!--?lit$0$--><img src=x onerror=${RUN}>`,
  `?lit$123456789$`,
];

const BANK = 'CO_BANCOLOMBIA';
const merchantOf = (text: string) => ({
  name: text,
  taxId: text,
  supportEmail: text,
  supportPhone: text,
  supportWhatsapp: text,
  payeeName: text,
});
const facts = (text: string) => ({ merchant: merchantOf(text), description: text, reference: text });

const methodsOf = (text: string): Method[] => [
  brebMethod,
  { kind: 'PAYIN', rail: 'PSE', banks: [{ code: BANK, name: text }], requires: [] },
];
const offerOf = (text: string, attempt: Attempt | null): Offer =>
  offer({ merchant: merchantOf(text), description: text, methods: methodsOf(text), attempt });
const bankOf = (text: string): PseAttempt['sourceData'] => ({
  bank: BANK,
  bankName: text,
  pseUrl: text,
  cus: text,
});

/** Every screen that shows something of the backend's, and its phase. */
const SCREENS: readonly (readonly [string, Phase, (text: string) => Attempt | null])[] = [
  ['the choice', 'choosing', () => null],
  [
    'a key',
    'paying',
    (text) => {
      const attempt = breb();
      return {
        ...attempt,
        ...facts(text),
        sourceData: attempt.sourceData && { ...attempt.sourceData, keyString: text, qrString: text },
      };
    },
  ],
  ['a bank', 'pending', (text) => pse({ ...facts(text), sourceData: bankOf(text) })],
  ['a link', 'link', (text) => ({ ...link(), ...facts(text), paymentLinkUrl: text })],
  ['a receipt', 'confirmed', (text) => ({ ...paid(pse({ sourceData: bankOf(text) })), ...facts(text) })],
  ['a refusal', 'declined', (text) => ({ ...pse({ status: 'DECLINED', errorCode: text }), ...facts(text) })],
];

const FORBIDDEN = 'script, iframe, object, embed, base, meta, form[action], link, animate, video, audio';

function dangersIn(root: ParentNode): string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => {
    const inside = element.shadowRoot ? dangersIn(element.shadowRoot) : [];
    const found = [...element.attributes]
      .filter(({ name, value }) => name.startsWith('on') || (isAddress(name) && !isHarmless(value)))
      .map(({ name, value }) => `${element.localName} ${name}=${value}`);
    return [...inside, ...found, ...(element.matches(FORBIDDEN) ? [element.localName] : [])];
  });
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
const isAddress = (name: string) =>
  ['href', 'xlink:href', 'src', 'action', 'formaction', 'srcdoc'].includes(name);
const isHarmless = (value: string) => /^(https:|mailto:|tel:|data:image\/(png|svg)|blob:|#)/.test(value);

afterEach(clearPage);

describe('hostile words', () => {
  for (const [name, phase, attemptOf] of SCREENS) {
    it(`are only words on the screen of ${name}`, async () => {
      for (const text of HOSTILE) {
        const transport = new CannedTransport();
        transport.offered = offerOf(text, attemptOf(text));
        const payer = Payer.arrives({ transport });
        await payer.reaches(phase);
        await payer.until(() => payer.element.shadowRoot!.querySelector('[part=body] h2'));
        // The merchant's name heads every screen.
        await payer.until(() => plain(payer.text).includes(plain(text)));
        expect(dangersIn(payer.element.shadowRoot!), text).to.deep.equal([]);
        payer.leaves();
        sessionStorage.clear();
      }
      expect('wasRun' in globalThis).to.equal(false);
    });
  }

  it('are found where code uses them as markup or as an address', () => {
    const isFound = (text: string) => {
      // Nothing runs in a document that no window shows.
      const careless = new DOMParser().parseFromString(text, 'text/html');
      const anchor = careless.createElement('a');
      anchor.setAttribute('href', text);
      careless.body.append(anchor);
      return dangersIn(careless).length > 0;
    };
    expect(HOSTILE.filter((text) => !isFound(text))).to.deep.equal([]);
    expect(isFound('https://banco.example/pagar')).to.equal(false);
  });
});
