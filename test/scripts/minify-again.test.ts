import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sameNames } from '../../scripts/minify-again.js';

describe('chunks that take from each other', () => {
  it('call a thing by its name where it was made, unless the page may ask for it', () => {
    const codes = sameNames(
      new Map([
        ['a.js', 'let Q=1,b=2,F=3;export{Q as e,b as x,F as PayCheckoutElement};'],
        ['b.js', 'f(n,x,y);export{n as words};import{e as n,x}from"./a.js";import{t as y}from"./c.js";'],
        ['c.js', 'let t=1;export{t};'],
      ]),
    );
    assert.deepEqual(
      [...codes.values()],
      [
        'let Q=1,b=2,F=3;export{Q,b,F as PayCheckoutElement};',
        'f(n,x,y);export{n as words};import{Q as n,b as x}from"./a.js";import{t as y}from"./c.js";',
        'let t=1;export{t};',
      ],
    );
  });
});
