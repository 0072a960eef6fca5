import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import { withReturnId } from '../../src/contract/return-address.js';
import { returnIdIn, withoutReturnId } from '../../src/contract/return-id.js';
import { cleanAddress } from '../../src/transport/page.js';
import { seedOr, sizeOr } from '../support/torture.js';

const ADDRESSES = sizeOr(600, 10_000);
const SEED = seedOr(Date.now() % 1_000_000);

const payin = { kind: 'PAYIN', id: 'at_1.~-' } as const;
const link = { kind: 'PAYMENT_LINK', id: 'at_2' } as const;

describe('the way back', () => {
  it('is in the query, before any hash', () => {
    assert.equal(withReturnId('https://s.example/a', payin), 'https://s.example/a?pay-return=at_1.~-');
    assert.equal(
      withReturnId('https://s.example/?x=%20+y#/pay?z=1', payin),
      'https://s.example/?x=%20+y&pay-return=at_1.~-#/pay?z=1',
    );
    assert.equal(
      withReturnId('https://s.example/#/pay', link),
      'https://s.example/?pay-return=link%3Aat_2#/pay',
    );
  });

  it('is read back, whichever kind it names', () => {
    for (const id of [payin, link]) {
      assert.deepEqual(returnIdIn(withReturnId('https://s.example/?a=1#/b', id)), id);
    }
  });

  it('replaces an earlier one', () => {
    const url = withReturnId(withReturnId('https://s.example/', payin), link);
    assert.equal(url, 'https://s.example/?pay-return=link%3Aat_2');
  });

  it('is not found where it is not, nor believed when it could not be', () => {
    for (const href of [
      'https://s.example/',
      'https://s.example/#/x?pay-return=a',
      'https://s.example/?pay-returned=a',
      'https://s.example/?pay-return=',
      'https://s.example/?pay-return=..%2Forders',
      'https://s.example/?pay-return=a%20b',
      `https://s.example/?pay-return=${'a'.repeat(129)}`,
      'https://s.example/?pay-return=link:link:a',
    ]) {
      assert.equal(returnIdIn(href), null, href);
    }
  });

  it('leaves every other letter of an address alone', () => {
    const urls = fc
      .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.boolean())
      .map(([url, empty]) => (empty ? `${url.split('#')[0] ?? ''}#/route?q=1&&` : url));
    fc.assert(
      fc.property(urls, (url) => {
        assert.equal(withoutReturnId(url), url);
        assert.deepEqual(returnIdIn(withReturnId(url, payin)), payin);
        // An empty query loses its question mark, nothing else.
        assert.equal(withoutReturnId(withReturnId(url, payin)), url.replace(/^([^#?]*)\?(?=#|$)/, '$1'));
      }),
    );
  });

  it('is taken out of the address bar without touching the page’s own state', () => {
    const replaced: unknown[] = [];
    const history = { state: { page: 7 }, replaceState: (...args: unknown[]) => void replaced.push(args) };
    cleanAddress({ href: 'https://s.example/?a=1&pay-return=at_1#/x' }, history);
    cleanAddress({ href: 'https://s.example/?a=1#/x' }, history);
    assert.deepEqual(replaced, [[{ page: 7 }, '', 'https://s.example/?a=1#/x']]);
  });
});

/** Addresses that anybody may have made, around every way to write the parameter. */
const names = fc.constantFrom(
  ...[
    'pay-return',
    'pay%2Dreturn',
    '%70ay-return',
    'PAY-RETURN',
    'pay-return[]',
    'pay-returned',
    '?pay-return',
  ],
  ...['pay+return', 'a', '', '__proto__', 'pay-return%00', 'pay-return%', '%'],
);
const values = fc.oneof(
  fc.constantFrom(
    'at_1',
    'link:at_2',
    'link%3Aat_2',
    '..%2Forders',
    '%00',
    'a%20b',
    '+',
    '%',
    '%ff',
    'a=b',
    '==',
  ),
  fc.constantFrom(
    'x'.repeat(129),
    '//evil.example',
    'javascript:alert(1)',
    '%26pay-return%3Dat_9',
    'at_1?x',
    '',
  ),
  fc.string({ unit: fc.constantFrom(...'a.~-_:/@?=%25\u00e9\\') }),
);
const hostilePairs = fc
  .tuple(names, values, fc.boolean())
  .map(([name, value, bare]) => (bare ? name : `${name}=${value}`));
const hostileAddresses = fc
  .record({
    start: fc.constantFrom(
      'https://s.example/',
      'https://s.example/a;b/%3F',
      'https://s.example',
      '/pay',
      '',
      '//s.example',
    ),
    pairs: fc.array(fc.oneof(fc.constant('pay-return=at_1'), { arbitrary: hostilePairs, weight: 7 }), {
      maxLength: 5,
    }),
    hash: fc.constantFrom('', '#', '#/x?pay-return=at_3', '#pay-return=at_3', '#?&pay-return=at_3#'),
  })
  .map(({ start, pairs, hash }) => start + (pairs.length > 0 ? '?' : '') + pairs.join('&') + hash);

interface Ways {
  readonly returnIdIn: typeof returnIdIn;
  readonly withReturnId: typeof withReturnId;
  readonly withoutReturnId: typeof withoutReturnId;
}

/** As the browser itself understands them. */
const parametersOf = (url: string) => [...new URL(url, 'https://s.example').searchParams];

function assertAddress(url: string, ways: Ways): boolean {
  const found = ways.returnIdIn(url);
  const first = parametersOf(url).find(([name]) => name === 'pay-return')?.[1];
  if (found !== null) {
    assert.match(found.id, /^[\w.~-]{1,128}$/);
    assert.equal(
      found.kind === 'PAYMENT_LINK' ? `link:${found.id}` : found.id,
      first,
      'it is not what was said',
    );
  }
  const clean = ways.withoutReturnId(url);
  assert.equal(ways.returnIdIn(clean), null, 'it is still there after it was taken out');
  const others = parametersOf(url).filter(([name]) => name !== 'pay-return');
  assert.deepEqual(parametersOf(clean), others, 'another parameter changed');
  const back = ways.withReturnId(url, payin);
  assert.deepEqual(ways.returnIdIn(back), payin, 'the way back names something else');
  assert.deepEqual(parametersOf(back).slice(0, -1), others, 'the way back lost something');
  for (const made of [clean, back]) {
    const [before, after] = [new URL(url, 'https://s.example'), new URL(made, 'https://s.example')];
    assert.deepEqual(
      [after.origin, after.pathname, after.hash],
      [before.origin, before.pathname, before.hash],
    );
  }
  if (first === undefined) assert.equal(clean, url, 'a letter changed');
  return found !== null;
}

describe('an address from anybody', () => {
  const sound: Ways = { returnIdIn, withReturnId, withoutReturnId };

  it('names an attempt that could be one or none, and loses nothing else', () => {
    let named = 0;
    fc.assert(
      fc.property(hostileAddresses, (url) => {
        if (assertAddress(url, sound)) named += 1;
      }),
      { numRuns: ADDRESSES, seed: SEED },
    );
    console.log(`seed ${SEED}: ${ADDRESSES} addresses, ${named} with a return id`);
    assert.ok(named > ADDRESSES / 100, String(named));
  });

  const defects: Readonly<Record<string, Partial<Ways>>> = {
    'takes an id without looking at it': {
      returnIdIn: (url) => {
        const id = new URL(url, 'https://s.example').searchParams.get('pay-return');
        return id === null ? null : { kind: 'PAYIN', id };
      },
    },
    'finds the name only as it writes it itself': {
      withoutReturnId: (url) => url.replace(/(\?|&)pay-return=[^&#]*&?/, '$1').replace(/\?(?=#|$)/, ''),
    },
    'writes the whole address anew': {
      withoutReturnId(url) {
        const made = new URL(url, 'https://s.example');
        made.searchParams.delete('pay-return');
        return made.href;
      },
    },
    'adds the way back at the end': { withReturnId: (url, { id }) => `${url}?pay-return=${id}` },
  };
  for (const [name, planted] of Object.entries(defects)) {
    it(`finds a widget that ${name}`, () => {
      const addresses = fc.sample(hostileAddresses, { numRuns: 2_000, seed: SEED });
      const ways = { ...sound, ...planted };
      const at = addresses.findIndex((url) => {
        try {
          assertAddress(url, ways);
          return false;
        } catch {
          return true;
        }
      });
      assert.ok(at >= 0, 'no address saw anything wrong with it');
      console.log(`found after ${at + 1} addresses`);
    });
  }
});
