import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { breaches } from './imports.js';
import { readSources } from './sources.js';

/** The only breach in sources that are given as path and text. */
function onlyBreach(sources: Record<string, string>): string {
  const found = breaches(new Map(Object.entries(sources)));
  assert.equal(found.length, 1, `expected one breach, got ${JSON.stringify(found)}`);
  return found[0] ?? '';
}

describe('the imports of src and demo', () => {
  it('keep the rules of the parts', () => {
    const sources = readSources(['src', 'demo'], ['.ts', '.html', '.css', '.json', '.js']);
    assert.ok(
      [...sources.keys()].some((path) => path.startsWith('src/contract/')),
      'no sources were read',
    );
    assert.deepEqual(breaches(sources), []);
  });
});

describe('the reader of imports', () => {
  it('finds nothing to say about edges that are allowed', () => {
    const sources = {
      'src/contract/money.ts': `import * as v from 'valibot'; export const cents = v.number();`,
      'src/machine/machine.ts': `import { cents } from '../contract/money.js'; export const a = cents;`,
      'src/element/checkout.ts': `import { html } from 'lit'; import { a } from '../machine/machine.js'; export const b = [html, a];`,
      'src/element/host.ts': `export interface Host {}`,
      'src/element/views/receipt.ts': `import type { Host } from '../host.js'; export const c = (host: Host) => host;`,
      'src/index.ts': `export * from './element/checkout.js';`,
      'src/define.ts': `import './index.js'; void import('./element/views/receipt.js');`,
      'src/cli.ts': `import { readFile } from 'node:fs/promises'; export const r = readFile;`,
      'demo/shop.ts': `import '../src/define.js'; import express from 'express'; import 'pay-checkout/define';`,
      'demo/shop.html': `<script type="module" src="/src/define.ts"></script>`,
    };
    assert.deepEqual(breaches(new Map(Object.entries(sources))), []);
  });

  const money = { 'src/contract/money.ts': `export const cents = 1;` };
  const client = { 'src/service/client.ts': `export const client = 1;` };
  const planted: Record<string, [Record<string, string>, RegExp]> = {
    'a forbidden edge': [
      {
        ...client,
        'src/contract/a.ts': `import { client } from '../service/client.js'; export const a = client;`,
      },
      /contract may not know service/,
    ],
    'a part of the element that knows its class': [
      {
        'src/element/pay-checkout-element.ts': `export class PayCheckoutElement {}`,
        'src/element/effects.ts': `import type { PayCheckoutElement } from './pay-checkout-element.js'; export type A = PayCheckoutElement;`,
      },
      /only entry points know the element's class/,
    ],
    'a forbidden edge that only imports types': [
      {
        ...client,
        'src/contract/a.ts': `import type { client } from '../service/client.js'; export type A = typeof client;`,
      },
      /contract may not know service/,
    ],
    'a forbidden edge inside a type': [
      { ...client, 'src/contract/a.ts': `export type A = typeof import('../service/client.js');` },
      /contract may not know service/,
    ],
    'a forbidden re-export': [
      { ...client, 'src/machine/a.ts': `export const x = 1; export * from '../service/client.js';` },
      /machine may not know service/,
    ],
    'a forbidden dynamic import': [
      { ...client, 'src/transport/a.ts': `export const a = () => import('../service/client.js');` },
      /transport may not know service/,
    ],
    'a dynamic import of something computed': [
      { 'src/server/a.ts': `export const a = (name: string) => import(name);` },
      /hides what it imports: name/,
    ],
    'a cycle': [
      {
        'src/machine/a.ts': `import { b } from './b.js'; export const a = () => b;`,
        'src/machine/b.ts': `import { a } from './a.js'; export const b = () => a;`,
      },
      /cycle: src\/machine\/a\.ts → src\/machine\/b\.ts → src\/machine\/a\.ts/,
    ],
    'a cycle closed by an inline type import': [
      {
        'src/machine/a.ts': `import { type B } from './b.js'; export const a: B = 1;`,
        'src/machine/b.ts': `import { a } from './a.js'; export type B = number; export const b = a;`,
      },
      /cycle/,
    ],
    'a barrel': [{ ...money, 'src/contract/all.ts': `export * from './money.js';` }, /is a barrel/],
    'a barrel in two steps': [
      { ...money, 'src/contract/all.ts': `import { cents } from './money.js'; export { cents };` },
      /is a barrel/,
    ],
    'a file too deep': [{ 'src/sandbox/pages/payer/parts/a.ts': `export const a = 1;` }, /lies too deep/],
    'a cycle closed by a type': [
      {
        'src/machine/a.ts': `import type { B } from './b.js'; export const a: B = 1;`,
        'src/machine/b.ts': `import { a } from './a.js'; export type B = number; export const b = a;`,
      },
      /cycle/,
    ],
    'a cycle closed by a dynamic import': [
      {
        'src/element/a.ts': `export const a = () => import('./b.js');`,
        'src/element/b.ts': `import { a } from './a.js'; export const b = a;`,
      },
      /cycle/,
    ],
    'a room that knows too much': [
      {
        'src/server/work/worker.ts': `export const a = 1;`,
        'src/server/orders/record.ts': `import { a } from '../work/worker.js'; export const b = a;`,
      },
      /which its room may not know/,
    ],
    'a first act that brings the second along': [
      {
        'src/element/paying/paying.ts': `export const a = 1;`,
        'src/element/opening/screen.ts': `import { a } from '../paying/paying.js'; export const b = a;`,
      },
      /which its room may not know/,
    ],
    'a clock in a pure room': [
      { 'src/server/orders/schedule.ts': `export const a = () => Date.now();` },
      /uses Date\.now, but its room is pure/,
    ],
    'the time of day in a pure room': [
      { 'src/server/orders/schedule.ts': `export const a = () => new Date();` },
      /its room is pure/,
    ],
    'a random number in a pure room': [
      { 'src/server/orders/record.ts': `export const a = () => crypto.randomUUID();` },
      /uses crypto, but its room is pure/,
    ],
    'an unknown part': [{ 'src/utils/a.ts': `export const a = 1;` }, /no known part/],
    'an unknown entry point': [{ 'src/helpers.ts': `export const a = 1;` }, /not a known entry point/],
    'a file not in kebab-case': [{ 'src/contract/MoneyFormat.ts': `export const a = 1;` }, /kebab-case/],
    'a package a part may not use': [
      { 'src/machine/a.ts': `import { html } from 'lit'; export const a = html;` },
      /package lit/,
    ],
    'Node in a server part': [
      { 'src/server/a.ts': `import { createHash } from 'node:crypto'; export const a = createHash;` },
      /only cli and node may know Node/,
    ],
    'Node in a server part without its prefix': [
      { 'src/sandbox/a.ts': `import { readFile } from 'fs/promises'; export const a = readFile;` },
      /only cli and node may know Node/,
    ],
    'a part that imports an entry point': [
      {
        'src/index.ts': `export const a = 1;`,
        'src/element/a.ts': `import { a } from '../index.js'; export const b = a;`,
      },
      /imports the entry point/,
    ],
    'a source that imports the demo': [
      {
        'demo/shop.ts': `export const a = 1;`,
        'src/element/a.ts': `import { a } from '../../demo/shop.js'; export const b = a;`,
      },
      /outside src/,
    ],
    'a demo that reaches into a part': [
      {
        ...money,
        'demo/shop.ts': `import { cents } from '../src/contract/money.js'; export const a = cents;`,
      },
      /not a public entry point/,
    ],
    'a demo page that reaches into a part': [
      { ...money, 'demo/shop.html': `<script type="module" src="/src/contract/money.ts"></script>` },
      /not a public entry point/,
    ],
  };
  for (const [name, [sources, message]] of Object.entries(planted)) {
    it(`sees ${name}`, () => {
      assert.match(onlyBreach(sources), message);
    });
  }

  it('sees a browser entry that reaches server code through another entry', () => {
    const found = breaches(
      new Map(
        Object.entries({
          ...client,
          'src/service.ts': `export * from './service/client.js';`,
          'src/index.ts': `export * from './service.js';`,
        }),
      ),
    );
    assert.deepEqual(found, [
      'browser entry reaches server code: src/index.ts → src/service.ts → src/service/client.ts',
    ]);
  });

  for (const entry of ['index', 'define', 'cdn', 'react']) {
    it(`sees the simulator in ${entry}, where payers would meet it`, () => {
      const sources = {
        'src/simulator/panel.ts': `export const panel = 1;`,
        'src/simulator.ts': `export * from './simulator/panel.js';`,
        [`src/${entry}.ts`]: `export * from './simulator.js';`,
      };
      assert.deepEqual(breaches(new Map(Object.entries(sources))), [
        `browser entry reaches server code: src/${entry}.ts → src/simulator.ts → src/simulator/panel.ts`,
      ]);
    });
  }
});
