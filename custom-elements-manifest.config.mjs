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
    manifest.modules = manifest.modules.filter(({ declarations }) => declarations.length > 0);
    const element = manifest.modules.find(({ declarations }) => declarations[0].customElement);
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

/** The element's properties are described in a file of their own, for the frameworks' types too. */
function readProperties() {
  const fields = new Map();
  const declarations = new Map();
  return {
    name: 'pay-checkout-properties',
    analyzePhase({ ts, node }) {
      if (ts.isInterfaceDeclaration(node) && node.name.text === 'CheckoutProperties')
        for (const member of node.members)
          fields.set(member.name.text, {
            type: { text: member.type.getText() },
            description: ts.getJSDocCommentsAndTags(member)[0]?.comment,
          });
      if (ts.isVariableDeclaration(node) && node.name.text === 'PROPERTIES')
        for (const { name, initializer } of node.initializer.expression.expression.properties)
          declarations.set(
            name.text,
            Object.fromEntries(
              initializer.properties.map((option) => [option.name.text, option.initializer.getText()]),
            ),
          );
    },
    packageLinkPhase({ customElementsManifest: { modules } }) {
      const [element] = modules.flatMap((module) => module.declarations).filter((each) => each.customElement);
      element.attributes ??= [];
      for (const [name, { attribute, reflect }] of declarations) {
        const about = fields.get(name);
        const inHtml = attribute?.replaceAll("'", '') ?? name;
        let field = element.members.find((member) => member.name === name);
        if (!field) element.members.push((field = { kind: 'field', name, privacy: 'public' }));
        Object.assign(
          field,
          about,
          attribute !== 'false' && { attribute: inHtml },
          reflect && { reflects: true },
        );
        if (attribute !== 'false')
          element.attributes.push({ name: inHtml, ...about, default: field.default, fieldName: name });
      }
    },
  };
}

export default {
  globs: ['src/element/{pay-checkout-element,properties}.ts', 'src/element/{opening,paying}/events.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
  plugins: [readProperties(), ofThePackage],
};
