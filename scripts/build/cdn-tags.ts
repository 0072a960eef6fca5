import { CLASSIC_FILE, type CdnIntegrity, MODULE_FILE } from './cdn.js';

/** The tags to paste, with the hashes of this very build. */

/** Stands for wherever a merchant keeps the files. */
const PLACE = 'https://cdn.example/pay-checkout';

function classicTag({ files }: CdnIntegrity): string {
  return `<script
  src="${PLACE}/${CLASSIC_FILE}"
  integrity="${hashOf(files, CLASSIC_FILE)}"
  crossorigin="anonymous"
  defer
></script>`;
}

/** A module's own tag covers only itself; the import map covers what it fetches. */
function moduleTags({ files }: CdnIntegrity): string {
  const chunks = Object.keys(files).filter((name) => name !== CLASSIC_FILE && name !== MODULE_FILE);
  const map = {
    integrity: Object.fromEntries(chunks.map((name) => [`${PLACE}/${name}`, hashOf(files, name)])),
  };
  return `<script type="importmap">
${JSON.stringify(map, null, 2).replace(/^/gm, '  ')}
</script>
<script
  type="module"
  src="${PLACE}/${MODULE_FILE}"
  integrity="${hashOf(files, MODULE_FILE)}"
  crossorigin="anonymous"
></script>`;
}

/** A page to copy them from. */
export function tagsPage(integrity: CdnIntegrity): string {
  const kilobytes = (name: string) => ((integrity.files[name]?.brotliBytes ?? 0) / 1000).toFixed(1);
  const html = (tags: string) => `\`\`\`html\n${tags}\n\`\`\``;
  return `# pay-checkout ${integrity.version} by script tag

Put these files on your own server or on a CDN, and its address in place of \`${PLACE}\`.

One file, ${kilobytes(CLASSIC_FILE)} kB as a browser downloads it (brotli):

${html(classicTag(integrity))}

Or a module, ${kilobytes(MODULE_FILE)} kB before its parts:

${html(moduleTags(integrity))}
`;
}

function hashOf(files: CdnIntegrity['files'], name: string): string {
  const found = files[name]?.integrity;
  if (found === undefined) throw new Error(`The build has no ${name}`);
  return found;
}
