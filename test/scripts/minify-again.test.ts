import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SharedNames, minified } from '../../scripts/minify-again.js';

describe('chunks that take from each other', () => {
  it('call a thing by its name where it was made, unless the page may ask for it', async () => {
    const shared: SharedNames = new Map();
    const entry = await minified(
      'a.js',
      'let e=window.a(),t=window.b(),n=window.c();window.d(e,t,n);export{t as $,n as x,e as PayCheckoutElement};',
      shared,
    );
    const [, first, second] = /export\{(\w+),(\w+),\w+ as PayCheckoutElement\}/.exec(entry.code) ?? [];
    assert.ok(first && second, entry.code);

    const other = await minified('b.js', 'let t=window.f();export{t};', shared);
    assert.match(other.code, /export\{\w+\}/);

    const { code } = await minified(
      'c.js',
      'import{$ as e,x as t}from"./a.js";import{t as n}from"./b.js";function r(a){return e(t(n(a)))}export{r as words};',
      shared,
    );
    assert.ok(code.includes(`import{${first},${second}}from"./a.js"`), code);
    assert.ok(code.includes(`${first}(${second}(`), code);
    assert.match(code, /export\{\w+ as words\}/);
  });

  it('keep names of their own where two files have the same name for something', async () => {
    const shared: SharedNames = new Map([
      ['a.js', new Map([['$', 'q']])],
      ['b.js', new Map([['t', 'q']])],
    ]);
    const { code } = await minified(
      'c.js',
      'import{$ as e}from"./a.js";import{t as n}from"./b.js";e(n());',
      shared,
    );
    const [, local] = /import\{q as (\w+)\}from"\.\/b\.js"/.exec(code) ?? [];
    assert.ok(local && local !== 'q' && code.startsWith(`q(${local}())`), code);
  });
});
