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

/** Replaces what stands between the page's marks. */
export function fillInTags(page: string, integrity: CdnIntegrity): string {
  const kilobytes = (name: string) => ((integrity.files[name]?.brotliBytes ?? 0) / 1000).toFixed(1);
  const fills = {
    version: `These are of version ${integrity.version}: ${kilobytes(CLASSIC_FILE)} kB for the classic file, ${kilobytes(MODULE_FILE)} kB for the module before its parts, as a browser downloads them (brotli).`,
    classic: `\`\`\`html\n${classicTag(integrity)}\n\`\`\``,
    module: `\`\`\`html\n${moduleTags(integrity)}\n\`\`\``,
  };
  return Object.entries(fills).reduce((text, [name, fill]) => {
    const [start, end] = [`<!-- ${name}: filled in by npm run build -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`docs/cdn.md has no place for ${name}`);
    return `${text.slice(0, from + start.length)}\n\n${fill}\n\n${text.slice(to)}`;
  }, page);
}

function hashOf(files: CdnIntegrity['files'], name: string): string {
  const found = files[name]?.integrity;
  if (found === undefined) throw new Error(`The build has no ${name}`);
  return found;
}
