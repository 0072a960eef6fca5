import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import { buildModule, MODULE_FILE } from '../../../scripts/build/cdn.js';
import { styles } from '../../../src/element/opening/styles.js';
import { newFeatures } from './newer-features.js';

/** What the build uses although some browsers lack it, and why a payer there can pay all the same. */
const DETECTED: Readonly<Record<string, string>> = {
  ':has()': 'the chosen method is marked by its radio button too',
  'light-dark()': 'inside @supports; without it the colours are the light ones',
  'text-wrap': 'lines only break less evenly',
  states: 'looked for; pages do without :state()',
  clipboard: 'looked for; else the older way, else the payer copies by hand',
  canShare: 'looked for; else there is only the download',
  share: 'only after canShare, or where it was looked for; else the download, else the link to copy',
  locks: 'looked for; else each tab watches by itself',
  trustedTypes: 'looked for by Lit; without it there is no policy to satisfy',
};

describe('a build for browsers of 2023', () => {
  const chunks = new Map<string, string>();

  beforeAll(async () => {
    for (const { name, code } of await buildModule()) chunks.set(name, code);
  });

  it('uses nothing that Safari 16.4, Chrome 109 or Firefox 115 lack, unless it looks first', () => {
    assert.ok(chunks.size > 3);
    const used = new Map<string, string>();
    for (const [name, code] of chunks) {
      for (const { feature, near } of newFeatures(code)) used.set(feature, `${name}: …${near}…`);
    }
    assert.deepEqual(
      [...used].filter(([feature]) => !(feature in DETECTED)),
      [],
    );
    assert.deepEqual(
      Object.keys(DETECTED).filter((feature) => !used.has(feature)),
      [],
      'reasons for what is no longer used',
    );
  });

  it('uses light-dark() only where the browser says that it knows it', () => {
    const supported = /@supports \(color: light-dark\(red, red\)\) \{\s*:host \{[^}]*\}\s*\}/;
    assert.match(styles.cssText, supported);
    assert.doesNotMatch(styles.cssText.replace(supported, ''), /light-dark/);
    // These are the entry's: what comes later has colours by their names.
    const others = [...chunks].filter(([name]) => name !== MODULE_FILE);
    assert.ok(others.length > 0);
    for (const [name, code] of others) assert.ok(!code.includes('light-dark('), name);
  });

  it('is searched for newer syntax, functions, styles and markup', () => {
    for (const [code, feature] of [
      ['const { promise } = Promise.withResolvers();', 'withResolvers'],
      ['AbortSignal.any([a, b]);', 'AbortSignal.any'],
      ['Response.json({});', 'Response.json'],
      ['[3, 1].toSorted();', 'toSorted'],
      ['URL["canParse"](x);', 'canParse'],
      ['new Set(a).union(b);', 'union'],
      ['const { locks } = navigator;', 'locks'],
      ['window.scheduler.yield();', 'scheduler'],
      ['globalThis.navigation.back();', 'navigation'],
      ['new CloseWatcher();', 'CloseWatcher'],
      ['element.ariaLabel = "x";', 'ariaLabel'],
      ['css`.a{color:color-mix(in srgb,red,blue)}`;', 'color-mix()'],
      ['css`.a{color:red;& .b{color:blue}}`;', 'nesting'],
      ['css`:host(:state(paying)){color:red}`;', ':state()'],
      ['html`<div popover id="x"></div>`;', ':popover-open'],
      ['html`<details name="one"></details>`;', 'details by name'],
    ] as const) {
      assert.deepEqual(
        newFeatures(code).map((finding) => finding.feature),
        [feature],
        code,
      );
    }
    assert.match(newFeatures('/[\\p{L}--[a-z]]/v.test(x);')[0]?.feature ?? '', /^syntax/);
    assert.match(newFeatures('using file = open();')[0]?.feature ?? '', /^syntax/);
    assert.deepEqual(newFeatures('const at = [1].at(-1); navigator.onLine; promise.then(union);'), []);
  });
});
