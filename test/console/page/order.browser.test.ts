import { expect } from '@open-wc/testing';
import type { OrderDetail } from '../../../src/contract/merchant/console.js';
import type { ReviewView } from '../../../src/contract/merchant/sales.js';
import type { Api } from '../../../src/console/page/api.js';
import { readRoute } from '../../../src/console/page/route.js';
import type { Shell } from '../../../src/console/page/screen.js';
import { ConsoleOrder } from '../../../src/console/page/screens/order.js';
import { WORDS } from '../../../src/console/page/words/words.js';

customElements.define('order-under-test', class extends ConsoleOrder {});

const item = (payment: string, detail: string): ReviewView => ({
  key: `duplicate.${payment}.${detail}`,
  kind: 'duplicate',
  reference: 'EN-1',
  payment,
  since: '2026-01-15T15:00:00.000Z',
  detail,
});

const order = (...review: ReviewView[]): OrderDetail => ({
  order: 'A-1',
  description: null,
  amountInCents: 4_290_000,
  paidInCents: 8_151_000,
  missingInCents: 0,
  attempts: [],
  payments: [],
  review,
  handled: [],
  notices: [],
  history: [],
  dueAt: null,
  returns: [],
});

/** The screen of an order whose review may change while somebody is there. */
async function shown(detail: OrderDetail) {
  let now = detail;
  const shell: Partial<Shell> = {
    api: { get: async () => now } as unknown as Api,
    words: WORDS.es,
    language: 'es',
  };
  const screen = document.createElement('order-under-test') as ConsoleOrder;
  Object.assign(screen, { shell, route: readRoute('#/attempts/A-1'), pulse: 0 });
  document.body.append(screen);
  const settled = async () => {
    await new Promise<void>((resolve) => void requestAnimationFrame(() => resolve()));
    await screen.updateComplete;
  };
  await settled();
  return {
    screen,
    async becomes(next: OrderDetail) {
      now = next;
      screen.pulse += 1;
      await settled();
    },
  };
}

describe('what needs a person of an order', () => {
  afterEach(() => document.body.replaceChildren());

  it('is given back from the payin that brought it, no more than is too much, also when it came by a link', async () => {
    const { screen } = await shown(order(item('payin-2', '3861000')));
    expect(screen.textContent).to.match(/Llegaron \$\s38\.610 de más/);
    const back = [...screen.querySelectorAll('a')].find(({ textContent }) =>
      textContent.includes('Devolver'),
    );
    expect(back?.hash).to.equal('#/payouts/new?payin=payin-2&cents=3861000');
  });

  it('keeps the note that is being written when something else needs a person too', async () => {
    const { screen, becomes } = await shown(order(item('payin-2', '1000')));
    screen.querySelector('input[name=note]')!.setAttribute('data-mine', '');
    screen.querySelector<HTMLInputElement>('[data-mine]')!.value = 'Devuelto a Ana';
    await becomes(order(item('payin-1', '2000'), item('payin-2', '1000')));
    const form = screen.querySelector<HTMLInputElement>('[data-mine]')!.form!;
    expect(new FormData(form).get('item')).to.equal('duplicate.payin-2.1000');
    const [first] = screen.querySelectorAll<HTMLInputElement>('input[name=note]');
    expect(first?.value).to.equal('');
  });
});
