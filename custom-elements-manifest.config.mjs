/** custom-elements.json, from the JSDoc of the element and its events: `npx cem analyze` writes it to dist. */

const isPublic = ({ name, privacy }) => !name.startsWith('#') && (privacy ?? 'public') === 'public';

/** What the analyzer cannot know: where the built files are, and which of their declarations are the package's. */
const ofThePackage = {
  name: 'pay-checkout',
  packageLinkPhase({ customElementsManifest: manifest }) {
    manifest.schemaVersion = '2.1.0';
    manifest.readme = 'README.md';
    for (const module of manifest.modules) {
      module.path = built(module.path);
      module.declarations = module.declarations.filter(({ kind }) => kind === 'class');
      const isDescribed = ({ name }) => module.declarations.some((declaration) => declaration.name === name);
      module.exports = module.exports.filter(isDescribed);
      for (const each of module.exports) each.declaration.module = module.path;
      for (const declaration of module.declarations) {
        declaration.description = declaration.description?.replace(/\s+/g, ' ');
        declaration.members = (declaration.members ?? []).filter(isPublic);
        // A class of the platform is taken for one of the module.
        if (declaration.superclass?.module)
          declaration.superclass = {
            name: declaration.superclass.name,
            ...(isDescribed(declaration.superclass) && { module: module.path }),
          };
        if (declaration.customElement) describeElement(declaration);
        // A constructor's parameter is taken for the default of the field it fills.
        else for (const member of declaration.members) delete member.default;
      }
    }
    const [element] = manifest.modules;
    manifest.modules.push({
      kind: 'javascript-module',
      path: 'dist/define.js',
      declarations: [],
      exports: [
        {
          kind: 'custom-element-definition',
          name: element.declarations[0].tagName,
          declaration: { name: element.declarations[0].name, module: element.path },
        },
      ],
    });
  },
};

/** Null is the absence of a value, and a boolean attribute that is absent is false. */
function describeElement({ members, attributes }) {
  // Its type is the field's own object.
  for (const each of attributes) each.type = { text: each.type.text.replace(/ \| null$/, '') };
  for (const each of [...members, ...attributes]) {
    if (each.type?.text === 'boolean') each.default = 'false';
    else if (each.default === 'null') delete each.default;
  }
}

function built(source) {
  return source.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js');
}

export default {
  globs: ['src/element/pay-checkout-element.ts', 'src/element/{opening,paying}/events.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
  plugins: [ofThePackage],
};
