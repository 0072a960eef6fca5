/**
 * `npm run build`: everything the package ships, into dist, and the tags of docs/cdn.md. Two builds of one commit are
 * the same, byte for byte.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCdn } from './build-cdn.js';
import { buildPackage } from './build-package.js';
import { fillInTags } from './cdn-tags.js';
import { makeEditorData } from './editor-data.js';
import { describeElement, makeManifest } from './manifest.js';
import { stopAllOnSignals } from './processes.js';

const CDN_PAGE = 'docs/cdn.md';

stopAllOnSignals();
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
const { out } = values;

await buildPackage(out);
const integrity = await buildCdn(join(out, 'cdn'));
const { html, css } = makeEditorData(describeElement());
writeJson('custom-elements.json', makeManifest());
writeJson('vscode.html-custom-data.json', html);
writeJson('vscode.css-custom-data.json', css);

const page = fillInTags(readFileSync(CDN_PAGE, 'utf8'), integrity);
writeFileSync(join(out, 'cdn/README.md'), page);
if (out === 'dist') writeFileSync(CDN_PAGE, page);

function writeJson(name: string, value: object): void {
  writeFileSync(join(out, name), `${JSON.stringify(value, null, 2)}\n`);
}
