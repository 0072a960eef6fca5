import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { breaches } from './breaches.js';

describe('the rules of imports', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** What the rules say of sources that are given as path and text. */
  async function judge(sources: Record<string, string>): Promise<string[]> {
    const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-imports-'));
    folders.push(folder);
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    for (const [path, text] of Object.entries(sources)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return breaches(folder);
  }

  it('allow what parts, rooms and entry points need', async () => {
    const sources = {
      'src/contract/money.ts': `import * as v from 'valibot'; export const cents = v.number();`,
      'src/machine/machine.ts': `import { cents } from '../contract/money.js'; export const a = cents;`,
      'src/element/checkout.ts': `import { html } from 'lit'; import { a } from '../machine/machine.js'; export const b = [html, a];`,
      'src/element/host.ts': `export interface Host {}`,
      'src/element/paying/paying.ts': `export const p = 1;`,
      'src/element/opening/chunk.ts': `import type { Host } from '../host.js'; export const c = (host: Host) => import('../paying/paying.js');`,
      'src/sandbox/view.ts': `export const view = 1;`,
      'src/sandbox/control/lists.ts': `import type { view } from '../view.js'; export type A = typeof view;`,
      'src/index.ts': `export * from './element/checkout.js';`,
      'src/define.ts': `import './index.js'; void import('./element/opening/chunk.js');`,
      'src/cli.ts': `import { readFile } from 'node:fs/promises'; export const r = readFile;`,
      'demo/shop.ts': `import '../src/define.js'; import express from 'express'; import 'pay-checkout/define';`,
    };
    assert.deepEqual(await judge(sources), []);
  });

  const money = { 'src/contract/money.ts': `export const cents = 1;` };
  const client = { 'src/service/client.ts': `export const client = 1;` };
  const planted: Record<string, [Record<string, string>, RegExp]> = {
    'a forbidden edge': [
      {
        ...client,
        'src/contract/a.ts': `import { client } from '../service/client.js'; export const a = client;`,
      },
      /^contract: parts: src\/contract\/a\.ts → src\/service\/client\.ts$/,
    ],
    'a forbidden edge that only imports types': [
      {
        ...client,
        'src/contract/a.ts': `import type { client } from '../service/client.js'; export type A = typeof client;`,
      },
      /^contract: parts/,
    ],
    'a forbidden edge inside a type': [
      { ...client, 'src/contract/a.ts': `export type A = typeof import('../service/client.js');` },
      /^contract: parts/,
    ],
    'a forbidden re-export': [
      { ...client, 'src/machine/a.ts': `export const x = 1; export * from '../service/client.js';` },
      /^machine: parts/,
    ],
    'a forbidden dynamic import': [
      { ...client, 'src/transport/a.ts': `export const a = () => import('../service/client.js');` },
      /^transport: parts/,
    ],
    'a page that takes more than types from the sandbox': [
      {
        'src/sandbox/a.ts': `export const a = 1; export type A = number;`,
        'src/sandbox/control/b.ts': `import type { A } from '../a.js'; import { a } from '../a.js'; export const b: A = a;`,
      },
      /^sandbox\/control: types of sandbox/,
    ],
    'a part of the element that knows its class': [
      {
        'src/element/pay-checkout-element.ts': `export class PayCheckoutElement {}`,
        'src/element/effects.ts': `import type { PayCheckoutElement } from './pay-checkout-element.js'; export type A = PayCheckoutElement;`,
      },
      /^only entry points know the element's class/,
    ],
    'a cycle': [
      {
        'src/machine/a.ts': `import { b } from './b.js'; export const a = () => b;`,
        'src/machine/b.ts': `import { a } from './a.js'; export const b = () => a;`,
      },
      /^no cycles/,
    ],
    'a cycle closed by an inline type import': [
      {
        'src/machine/a.ts': `import { type B } from './b.js'; export const a: B = 1;`,
        'src/machine/b.ts': `import { a } from './a.js'; export type B = number; export const b = a;`,
      },
      /^no cycles/,
    ],
    'a cycle closed by a type': [
      {
        'src/machine/a.ts': `import type { B } from './b.js'; export const a: B = 1;`,
        'src/machine/b.ts': `import { a } from './a.js'; export type B = number; export const b = a;`,
      },
      /^no cycles/,
    ],
    'a cycle closed by a dynamic import': [
      {
        'src/element/a.ts': `export const a = () => import('./b.js');`,
        'src/element/b.ts': `import { a } from './a.js'; export const b = a;`,
      },
      /^no cycles/,
    ],
    'a room that knows too much': [
      {
        'src/server/work/worker.ts': `export const a = 1;`,
        'src/server/orders/record.ts': `import { a } from '../work/worker.js'; export const b = a;`,
      },
      /^server\/orders: room/,
    ],
    'a first act that brings the second along': [
      {
        'src/element/paying/paying.ts': `export const a = 1;`,
        'src/element/opening/screen.ts': `import { a } from '../paying/paying.js'; export const b = a;`,
      },
      /^element\/opening: fetches element\/paying\/paying/,
    ],
    'a second act that brings every form along': [
      {
        'src/element/paying/pse/pse.ts': `export const a = 1;`,
        'src/element/paying/payment.ts': `import { a } from './pse/pse.js'; export const b = a;`,
      },
      /^element\/paying: fetches the screens that only some payments show/,
    ],
    'a file too deep': [
      {
        'src/sandbox/pages/payer/parts/a.ts': `export const a = 1;`,
        'src/sandbox/pages/b.ts': `import { a } from './payer/parts/a.js'; export const b = a;`,
      },
      /^files lie at most three folders deep/,
    ],
    'a file not in kebab-case': [
      {
        'src/contract/MoneyFormat.ts': `export const a = 1;`,
        'src/contract/b.ts': `import { a } from './MoneyFormat.js'; export const b = a;`,
      },
      /^files are named in kebab-case/,
    ],
    'an unknown part': [
      { ...money, 'src/utils/a.ts': `import '../contract/money.js';` },
      /^parts are listed/,
    ],
    'an unknown entry point': [
      { ...money, 'src/helpers.ts': `import './contract/money.js';` },
      /^entry points are listed/,
    ],
    'an entry point that brings another part': [
      { ...client, 'src/contract.ts': `export * from './service/client.js';` },
      /^entry contract: parts/,
    ],
    'a browser entry that reaches server code through another entry': [
      {
        ...client,
        'src/service.ts': `export * from './service/client.js';`,
        'src/index.ts': `export * from './service.js';`,
      },
      /^browser entries lead to browser entries: src\/index\.ts → src\/service\.ts$/,
    ],
    'the simulator where payers would meet it': [
      {
        'src/simulator/panel.ts': `export const panel = 1;`,
        'src/simulator.ts': `export * from './simulator/panel.js';`,
        'src/cdn.ts': `export * from './simulator.js';`,
      },
      /^browser entries lead to browser entries/,
    ],
    'a package a part may not use': [
      { 'src/machine/a.ts': `import { html } from 'lit'; export const a = html;` },
      /^machine: packages/,
    ],
    'a package an entry point may not use': [
      { 'src/index.ts': `import { html } from 'lit'; export const a = html;` },
      /^entry index: packages/,
    ],
    'a package that is not installed': [
      { 'src/server/a.ts': `import 'left-pad';` },
      /^what is imported exists/,
    ],
    'Node in a server part': [
      { 'src/server/a.ts': `import { createHash } from 'node:crypto'; export const a = createHash;` },
      /^only cli and node know Node/,
    ],
    'Node in a server part without its prefix': [
      { 'src/sandbox/a.ts': `import { readFile } from 'fs/promises'; export const a = readFile;` },
      /^only cli and node know Node/,
    ],
    'a part that imports an entry point': [
      {
        'src/index.ts': `export const a = 1;`,
        'src/element/a.ts': `import { a } from '../index.js'; export const b = a;`,
      },
      /^parts know no entry point/,
    ],
    'a source that imports the demo': [
      {
        'demo/shop.ts': `export const a = 1;`,
        'src/element/a.ts': `import { a } from '../../demo/shop.js'; export const b = a;`,
      },
      /^src knows nothing outside src/,
    ],
    'a demo that reaches into a part': [
      {
        ...money,
        'demo/shop.ts': `import { cents } from '../src/contract/money.js'; export const a = cents;`,
      },
      /^the demo knows public entry points alone/,
    ],
    'a demo that runs the command line': [
      { 'src/cli.ts': `export const a = 1;`, 'demo/shop.ts': `import '../src/cli.js';` },
      /^the demo knows public entry points alone/,
    ],
  };
  for (const [name, [sources, message]] of Object.entries(planted)) {
    it(`refuse ${name}`, async () => {
      const found = await judge(sources);
      assert.equal(
        new Set(found.map((each) => each.split(':')[0])).size,
        1,
        `one rule is broken: ${found.join('\n')}`,
      );
      assert.match(found[0] ?? '', message);
    });
  }
});
