/**
 * `npm run build`: everything the package ships, into dist. Two builds of one commit are
 * the same, byte for byte.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PSE_BANKS } from '../src/contract/payer/bank-list.js';
import { buildCdn } from './build/cdn.js';
import { buildPage } from './build/pages.js';
import { buildPackage } from './build/package.js';
import { tagsPage } from './build/cdn-tags.js';
import { makeEditorData } from './build/editor-data.js';
import { elementOf, makeManifest } from './build/manifest.js';
import { stopAllOnSignals } from './tests/processes.js';

const OUT = 'dist';

stopAllOnSignals();
await buildPackage(OUT);
for (const page of ['console', 'control'] as const) await buildPage(page, join(OUT, 'pages', page));
const integrity = await buildCdn(join(OUT, 'cdn'));
const manifest = await makeManifest();
const { html, css } = makeEditorData(elementOf(manifest));
writeJson('custom-elements.json', manifest);
writeJson('vscode.html-custom-data.json', html);
writeJson('vscode.css-custom-data.json', css);
writeJson(
  'banks.json',
  PSE_BANKS.filter(({ testOnly }) => !testOnly).map(({ testOnly: _, ...bank }) => bank),
);

writeFileSync(join(OUT, 'cdn/README.md'), tagsPage(integrity));

function writeJson(name: string, value: object): void {
  writeFileSync(join(OUT, name), `${JSON.stringify(value, null, 2)}\n`);
}
