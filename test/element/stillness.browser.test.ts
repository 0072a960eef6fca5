import { expect } from '@open-wc/testing';
import { QR_TEXT, breb } from '../machine/fixtures.js';
import { CannedTransport } from './support/canned-transport.js';
import { Payer, clearPage } from './support/harness.js';

/** What a payer is about to press or read stays where it was. */

const HEADER = '[part=merchant], [part=description], [part=amount], [part=logo]';
/** All but what tells how it goes, and the button that does. */
const SCREEN = '[part]:not([part=wait], [part=card], [part=button])';

const boxes: HTMLElement[] = [];
afterEach(() => {
  clearPage();
  for (const box of boxes.splice(0)) box.remove();
});

function arrivesAt(widthPx: number, transport: CannedTransport): Payer {
  const box = document.createElement('div');
  box.style.width = `${widthPx}px`;
  document.body.append(box);
  boxes.push(box);
  return Payer.arrives({ transport }, box);
}

/** Where each part is, seen from the card's corner. */
function places(payer: Payer, selector: string): string[] {
  const { left, top } = payer.card;
  return [...payer.element.shadowRoot!.querySelectorAll(selector)]
    .filter((each) => each.getClientRects().length > 0)
    .map((each) => {
      const box = each.getBoundingClientRect();
      const facts = [box.left - left, box.top - top, box.width, box.height].map(Math.round);
      return `${each.getAttribute('part') ?? each.localName} ${facts.join(' ')}`;
    });
}

for (const widthPx of [320, 760]) {
  describe(`in ${widthPx} px`, () => {
    it('keeps merchant and amount in their place from the first screen to the receipt', async () => {
      const transport = new CannedTransport();
      const payer = arrivesAt(widthPx, transport);
      await payer.reaches('choosing');
      const header = places(payer, HEADER);
      expect(header).to.have.length(4);
      await payer.press('QR Bre-B');
      const [screen, { height }] = [places(payer, SCREEN), payer.card];

      transport.hold();
      await payer.press('Pagar con Bre-B');
      await payer.reaches('creating');
      expect(places(payer, SCREEN), 'creating').to.deep.equal(screen);
      expect(payer.card.height, 'creating').to.equal(height);

      transport.release();
      await payer.reaches('paying');
      expect(places(payer, HEADER), 'paying').to.deep.equal(header);

      transport.tell(breb({ status: 'CONFIRMED', version: 'v2' }));
      await payer.reaches('confirmed');
      expect(places(payer, HEADER), 'confirmed').to.deep.equal(header);
    });

    it('says what a check found without moving what is above', async () => {
      const payer = arrivesAt(widthPx, new CannedTransport());
      await payer.press('QR Bre-B');
      await payer.press('Pagar con Bre-B');
      await payer.sees('Paga desde la app de tu banco');
      await payer.until(() => payer.element.shadowRoot!.querySelector('.qr :is(svg, img)'));
      const before = places(payer, SCREEN);
      await payer.press('Ya pagué');
      await payer.sees('Aún no nos llega');
      expect(places(payer, SCREEN)).to.deep.equal(before);
    });

    it('has room for a code before it is drawn', async () => {
      const transport = new CannedTransport();
      transport.creates = () => {
        const attempt = breb();
        const sourceData = { ...attempt.sourceData!, qrString: null, qrText: QR_TEXT };
        return { ...attempt, sourceData };
      };
      const payer = arrivesAt(widthPx, transport);
      const root = payer.element.shadowRoot!;
      /** The height of the card without its code, and with it. */
      const heights = new Map<boolean, Set<number>>();
      const look = () => {
        if (!root.querySelector('.qr')) return;
        const isDrawn = root.querySelector('.qr svg') !== null;
        heights.set(isDrawn, (heights.get(isDrawn) ?? new Set()).add(payer.card.height));
      };
      new MutationObserver(look).observe(root, { childList: true, subtree: true });
      await payer.press('QR Bre-B');
      await payer.press('Pagar con Bre-B');
      await payer.until(() => root.querySelector('.qr svg'));
      look();
      expect([...heights.keys()]).to.deep.equal([false, true]);
      expect(new Set([...heights.values()].flatMap((each) => [...each])).size).to.equal(1);
    });
  });
}
