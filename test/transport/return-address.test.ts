import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { returnIdIn, withReturnId, withoutReturnId } from '../../src/contract/return-id.js';
import { cleanAddress, readReturnId } from '../../src/transport/page.js';

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
      assert.deepEqual(readReturnId({ href: withReturnId('https://s.example/?a=1#/b', id) }), id);
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
      assert.equal(readReturnId({ href }), null, href);
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
