import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

/** The pages of docs/ as a site. `npm run docs` prepares site/public first: the gallery, the playground and the files. */

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const group = (text, items) => ({
  text,
  items: items.map(([title, link]) => ({ text: title, link })),
});

const english = [
  group('Start', [
    ['Overview', '/'],
    ['Quick start', '/quick-start'],
    ['Questions', '/questions'],
  ]),
  group('On the page', [
    ['Integrate', '/integrate'],
    ['Theming', '/theming'],
    ['Reference', '/reference'],
    ['Payment links', '/payment-links'],
    ['The package', '/package'],
  ]),
  group('On the server', [
    ['The kit', '/server'],
    ['Not JavaScript?', '/not-javascript'],
    ['Running it', '/operations'],
    ['The console', '/console'],
    ['Problems', '/problems'],
  ]),
  group('Your own backend', [
    ['The contract', '/backend-contract'],
    ['How the widget asks', '/transport'],
  ]),
  group('The payment service', [
    ['Its client', '/service-client'],
    ['Its interface', '/service-interface'],
    ['Sandbox and simulator', '/sandbox'],
  ]),
  group('Real money', [
    ['Checklist', '/production-checklist'],
    ['Security', '/security'],
  ]),
  group('The repository', [
    ['Contributing', '/contributing'],
    ['Benchmarks', '/benchmarks'],
    ['Reliability', '/reliability'],
  ]),
];

const spanish = [
  group('Empezar', [
    ['Resumen', '/es/'],
    ['Inicio rápido', '/es/quick-start'],
    ['Preguntas', '/es/questions'],
  ]),
  group('En la página', [
    ['Integración', '/es/integrate'],
    ['Apariencia', '/es/theming'],
    ['Referencia (en inglés)', '/reference'],
    ['Enlaces de pago (en inglés)', '/payment-links'],
    ['El paquete (en inglés)', '/package'],
  ]),
  group('En el servidor', [
    ['El kit (en inglés)', '/server'],
    ['¿No usas JavaScript?', '/es/not-javascript'],
    ['Operación', '/es/operations'],
    ['La consola (en inglés)', '/console'],
    ['Problemas', '/es/problems'],
    ['El contrato (en inglés)', '/backend-contract'],
    ['Sandbox y simulador (en inglés)', '/sandbox'],
  ]),
  group('Dinero real', [
    ['Salir a producción', '/es/production-checklist'],
    ['Seguridad', '/es/security'],
  ]),
];

/** Pages that are no part of the documents open as pages of their own. */
const live = (gallery, playground, language) => [
  { text: gallery, link: `/gallery/index.html?lang=${language}`, target: '_self' },
  { text: playground, link: `/playground/index.html?lang=${language}`, target: '_self' },
];

/** Addresses of headings as GitHub makes them: the documents are read there too. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/**
 * Links to files beside the documents lead to the files themselves, wherever the site is hosted; a README is the first
 * page of its folder.
 */
function linkFiles(md) {
  md.core.ruler.push('files', ({ tokens, env }) => {
    const depth = env.relativePath.split('/').length - 1;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href?.endsWith('README.md')) token.attrSet('href', href.replace('README.md', 'index.md'));
      const [, file] = /^(?:\.\.\/)*(examples\/.+|backend\.openapi\.json)$/.exec(href ?? '') ?? [];
      if (file === undefined) continue;
      token.attrSet('href', '../'.repeat(depth) + file);
      token.attrSet('target', '_blank');
    }
  });
}

export default defineConfig({
  title: 'pay-checkout',
  description: 'Bre-B and PSE payments in Colombia, with one tag.',
  srcDir: '../docs',
  outDir: at('../dist'),
  cacheDir: at('../.cache'),
  rewrites: { 'README.md': 'index.md', 'es/README.md': 'es/index.md' },
  markdown: { config: linkFiles, anchor: { slugify } },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      themeConfig: {
        // Not every page is translated: each links to its own translation at its top.
        i18nRouting: false,
        nav: [{ text: 'Quick start', link: '/quick-start' }, ...live('Every screen', 'Playground', 'en')],
        sidebar: english,
      },
    },
    es: {
      label: 'Español',
      lang: 'es-CO',
      themeConfig: {
        nav: [{ text: 'Inicio rápido', link: '/es/quick-start' }, ...live('Pantallas', 'Playground', 'es')],
        sidebar: spanish,
        outline: { label: 'En esta página' },
        docFooter: { prev: 'Anterior', next: 'Siguiente' },
        darkModeSwitchLabel: 'Apariencia',
        lightModeSwitchTitle: 'Cambiar a claro',
        darkModeSwitchTitle: 'Cambiar a oscuro',
        sidebarMenuLabel: 'Menú',
        returnToTopLabel: 'Volver arriba',
        langMenuLabel: 'Cambiar de idioma',
      },
    },
  },
  themeConfig: {
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        locales: {
          es: {
            translations: {
              button: { buttonText: 'Buscar', buttonAriaLabel: 'Buscar' },
              modal: {
                noResultsText: 'No hay resultados para',
                resetButtonTitle: 'Borrar la búsqueda',
                footer: { selectText: 'abrir', navigateText: 'moverse', closeText: 'cerrar' },
              },
            },
          },
        },
      },
    },
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'pay-checkout' } } },
  vite: {
    publicDir: at('../public'),
    resolve: {
      alias: [{ find: /^pay-checkout\/(.+)$/, replacement: at('../../src/$1.ts') }],
    },
    server: { fs: { allow: [at('../..')] } },
  },
});
