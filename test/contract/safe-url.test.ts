import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import * as fc from 'fast-check';
import { safeUrl } from '../../src/contract/safe-url.js';
import { hostileText } from './hostile-text.js';

const onHttps = { pageProtocol: 'https:' };

describe('safeUrl', () => {
  it('accepts an https address and gives it as the browser reads it', () => {
    assert.equal(safeUrl('HTTPS://Bank.Example/pay?id=1#x', onHttps), 'https://bank.example/pay?id=1#x');
    assert.equal(safeUrl('https://bank.example', onHttps), 'https://bank.example/');
  });

  it('accepts http only when the page itself is http', () => {
    assert.equal(safeUrl('http://bank.example/', onHttps), null);
    assert.equal(safeUrl('http://bank.example/', { pageProtocol: 'file:' }), null);
    assert.ok(safeUrl('http://bank.example/', { pageProtocol: 'http:' }));
    assert.ok(safeUrl('https://bank.example/', { pageProtocol: 'http:' }));
  });

  it('refuses every other protocol', () => {
    for (const text of [
      'javascript:alert(1)',
      'JaVaScRiPt://x/%0aalert(1)',
      'data:text/html,x',
      'blob:https://x/1',
      'file:///etc',
      'ftp://x/',
      'intent://x/#Intent;end',
      'httpsx://x/',
    ]) {
      assert.equal(safeUrl(text, { pageProtocol: 'http:' }), null, text);
    }
  });

  it('refuses spellings that parsers repair silently', () => {
    for (const text of [
      ' https://x.co',
      'https://x.co ',
      'https://x.co/a b',
      'java\tscript:1',
      'https://x.co\\@y.co',
      'https:\\\\x.co',
      'https://x\u00a0.co',
      '\0https://x.co',
      'https://x.co/\u202e',
      'https://x.co/\ud800',
    ]) {
      assert.equal(safeUrl(text, onHttps), null, JSON.stringify(text));
    }
    for (const text of [
      'https:x.co',
      'https:/x.co',
      'https:///x.co',
      'https://',
      'https://?x',
      '//x.co',
      '/pay',
      'pay',
      'x.co/https://',
    ]) {
      assert.equal(safeUrl(text, onHttps), null, text);
    }
    for (const text of [
      'https://x.co:99999/',
      'https://[::1/',
      'https://a%00b.co/',
      'https://1.2.3.4.5/',
      'https://:80/',
    ]) {
      assert.equal(safeUrl(text, onHttps), null, text);
    }
  });

  it('refuses credentials, even empty ones', () => {
    for (const text of [
      'https://user@x.co/',
      'https://u:p@x.co/',
      'https://@x.co/',
      'https://:@x.co',
      'https://bank.example%20@evil.example/',
    ]) {
      assert.equal(safeUrl(text, onHttps), null, text);
    }
    assert.ok(safeUrl('https://x.co/@name?mail=a@b.co', onHttps));
  });

  it('bounds the length', () => {
    assert.equal(safeUrl('', onHttps), null);
    const addressOf = (length: number) => `https://x.co/${'a'.repeat(length - 'https://x.co/'.length)}`;
    assert.equal(safeUrl(addressOf(2_048), onHttps), addressOf(2_048));
    assert.equal(safeUrl(addressOf(2_049), onHttps), null);
    assert.equal(safeUrl(`https://x.co/${'ñ'.repeat(500)}`, onHttps), null, 'three thousand when it is read');
  });

  describe('with an allow-list', () => {
    const allows = (text: string, ...allowedHosts: string[]) =>
      safeUrl(text, { ...onHttps, allowedHosts }) !== null;

    it('accepts the very host, whatever its spelling', () => {
      assert.ok(allows('https://bank.example/x', 'Bank.Example'));
      assert.ok(allows('https://bank.example:443/x', 'bank.example'));
      assert.ok(allows('https://xn--and-6ma2c.example/', 'ñandú.example'));
    });

    it('refuses its neighbours', () => {
      for (const host of [
        'evil.example',
        'bank.example.evil.example',
        'xbank.example',
        'www.bank.example',
        'bank.example.',
        'bank.example:8443',
      ]) {
        assert.equal(safeUrl(`https://${host}/`, { ...onHttps, allowedHosts: ['bank.example'] }), null, host);
      }
    });

    it('takes a star for subdomains, not for the domain itself', () => {
      assert.ok(allows('https://a.bank.example/', '*.bank.example'));
      assert.ok(allows('https://a.b.bank.example/', '*.bank.example'));
      assert.ok(!allows('https://bank.example/', '*.bank.example'));
      assert.ok(!allows('https://evilbank.example/', '*.bank.example'));
    });

    it('takes a port only where one is listed', () => {
      assert.ok(allows('https://localhost:8443/', 'localhost:8443'));
      assert.ok(!allows('https://localhost/', 'localhost:8443'));
    });

    it('allows nothing when it is empty or unreadable', () => {
      assert.ok(!allows('https://bank.example/'));
      assert.ok(!allows('https://bank.example/', '', '*', '*.', 'https://bank.example', 'bank example'));
    });
  });

  it('answers any text without throwing, and only ever gives a web address', () => {
    const nearly = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      hostileText,
      hostileText.map((text) => `https://${text}`),
    );
    fc.assert(
      fc.property(nearly, (text) => {
        const result = safeUrl(text, onHttps);
        if (result === null) return;
        const url = new URL(result);
        assert.equal(url.protocol, 'https:');
        assert.equal(url.username + url.password, '');
        assert.equal(safeUrl(result, { ...onHttps, allowedHosts: [url.host] }), result);
      }),
      { numRuns: 1_000 },
    );
  });
});
