import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import type { PayinDetail, PayinPage } from '../../../src/contract/merchant/console.js';
import { type ConsoleWorld, CUSTOMER, openConsoleWorld, type Visitor } from './world.js';

/** Lists of payins: pages and filters. */

function make(world: ConsoleWorld, count: number): void {
  for (let each = 0; each < count; each++) {
    const reference = `R-${String(world.engine.payins.length + 1).padStart(4, '0')}`;
    const pse = world.engine.payins.length % 3 === 2;
    const common = { amountInCents: 100_000, currency: 'COP', reference } as const;
    world.engine.createPayin(
      pse
        ? { ...common, rail: 'PSE', pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' } }
        : { ...common, rail: 'BRE_B', breb: { keyType: 'SINGLE_USE' } },
    );
  }
}

const page = (visitor: Visitor, query: Record<string, string>) =>
  visitor.get<PayinPage>(`/payins?${new URLSearchParams(query).toString()}`);
const references = ({ rows }: PayinPage) => rows.map(({ reference }) => reference);
const allOf = (world: ConsoleWorld) => world.engine.payins.map(({ reference }) => reference);

/** The first page and every further one. */
async function walk(
  visitor: Visitor,
  filter: Record<string, string>,
  between: () => void = () => undefined,
): Promise<PayinPage[]> {
  const pages = [await page(visitor, filter)];
  for (let at = pages[0]!.older; at !== null; at = pages.at(-1)!.older) {
    between();
    pages.push(await page(visitor, { ...filter, cursor: at }));
    assert.ok(pages.at(-1)!.rows.length <= 25);
  }
  return pages;
}

describe('the list of payins', () => {
  it('pages without a gap or a repeat while new ones arrive', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    make(world, 250);
    const before = allOf(world);
    const pages = await walk(visitor, {}, () => make(world, 1));
    assert.deepEqual(pages.flatMap(references), before);
  });

  it('does the same under a filter, whatever matches', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    make(world, 200);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', 'BRE_B', 'PSE'),
        fc.constantFrom('', '1', '19', 'r-00', 'nowhere'),
        async (rail, q) => {
          const filter = { rail, q };
          const wanted = world.engine.payins
            .filter(({ source }) => rail === '' || source.rail === rail)
            .map(({ reference }) => reference)
            .filter((reference) => reference.toLowerCase().includes(q));
          assert.deepEqual((await walk(visitor, filter)).flatMap(references), wanted);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('filters by outcome, and says how much it looked at when matches are rare', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    make(world, 350);
    const [newest] = world.engine.payins;
    const oldest = world.engine.payins.at(-1);
    for (const payin of [newest, oldest]) world.engine.settle(payin?.id ?? '', 'CONFIRMED');
    const first = await page(visitor, { status: 'CONFIRMED' });
    assert.deepEqual(references(first), [newest?.reference]);
    assert.ok(first.older !== null && first.scanned < 350);
    const rest = await page(visitor, { status: 'CONFIRMED', cursor: first.older ?? '' });
    assert.deepEqual(references(rest), [oldest?.reference]);
    assert.equal(first.scanned + rest.scanned, 350);
    assert.equal((await page(visitor, { status: 'OPEN' })).rows.length, 25);
  });

  it('refuses a query that makes no sense', async (t) => {
    const visitor = await (await openConsoleWorld(t)).signIn();
    for (const query of ['status=PAID', 'rail=CARD', `q=${'x'.repeat(200)}`, 'cursor=%F0%9F']) {
      assert.equal((await visitor.ask('GET', `/payins?${query}`)).status, 422, query);
    }
  });

  it('shows one payin in full, and its payer only masked', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const { id } = world.engine.createPayin({
      amountInCents: 1_890_050,
      currency: 'COP',
      rail: 'BRE_B',
      reference: 'R-1',
      breb: { keyType: 'SINGLE_USE' },
      inlineCustomer: CUSTOMER,
    });
    const detail = await visitor.get<PayinDetail>(`/payins/${id}`);
    assert.equal(detail.amountInCents, 1_890_050);
    assert.deepEqual(detail.customer, {
      name: 'Per*** de Pru***',
      document: 'CO_CC •••• 0001',
      phone: '•••• 4567',
      email: 'p•••@correo.test',
    });
    for (const secret of [CUSTOMER.name, CUSTOMER.idNumber, CUSTOMER.phone, CUSTOMER.email])
      assert.ok(!JSON.stringify(detail).includes(secret), secret);
    assert.equal((await visitor.ask('GET', `/payins/${crypto.randomUUID()}`)).status, 404);
  });
});
