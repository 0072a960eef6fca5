import { documented, documentedSetting, type Fixture, page, tsconfig, versions } from './fixture-kit.js';

/** Frameworks that use the tag itself, as docs/integrate.md shows it: its snippets are the component that pays. */

const VITE_PLUGIN_SOLID = '2.11.14';
const VITE_PLUGIN_SVELTE = '7.3.1';
const SVELTE_CHECK = '4.7.8';
/** The newest that runs on the oldest Node we support. */
const ANGULAR = '21.2.26';
const RXJS = '7.8.2';
const ANGULAR_TYPESCRIPT = '5.9.3';

const withApp = (main: string) =>
  page('', `<div id="app"></div><script type="module" src="/src/${main}"></script>`);

export const preact: Fixture = {
  packages: versions('preact', 'preact-render-to-string', 'typescript', 'vite'),
  build: [
    ['npx', 'tsc'],
    ['npx', 'vite', 'build'],
  ],
  serve: { folder: 'dist' },
  setsCustomer: true,
  refuses: {
    file: 'src/pay.tsx',
    right: 'ref={know}',
    wrong: 'customer={{ name: "Ana" }}',
    because: /'customer' does not exist/,
  },
  files: {
    'index.html': withApp('main.tsx'),
    'tsconfig.json': tsconfig({ jsx: 'react-jsx', jsxImportSource: 'preact' }),
    'src/pay.tsx': documented('Preact'),
    'src/main.tsx': `import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Pay } from './pay';

function App() {
  const [token, setToken] = useState('');
  const [told, setTold] = useState('');
  useEffect(() => {
    void fetch('/order').then(async (answer) => setToken(((await answer.json()) as { token: string }).token));
  }, []);
  return (
    <>
      {token && <Pay token={token} onPaid={setTold} />}
      <p id="told">{told}</p>
    </>
  );
}

render(<App />, document.querySelector('#app')!);
`,
  },
};

export const solid: Fixture = {
  packages: { 'vite-plugin-solid': VITE_PLUGIN_SOLID, ...versions('solid-js', 'typescript', 'vite') },
  build: [
    ['npx', 'tsc'],
    ['npx', 'vite', 'build'],
    ['npx', 'vite', 'build', '--ssr', 'src/server.tsx', '--outDir', 'server'],
  ],
  serve: { folder: 'dist' },
  setsCustomer: true,
  printsOnServer: ['node', 'server/server.js'],
  refuses: {
    file: 'src/pay.tsx',
    right: 'prop:customer',
    wrong: 'customer',
    because: /'customer' does not exist/,
  },
  files: {
    'index.html': withApp('main.tsx'),
    'tsconfig.json': tsconfig({ jsx: 'preserve', jsxImportSource: 'solid-js' }),
    'vite.config.js': `import solid from 'vite-plugin-solid';
export default { plugins: [solid({ ssr: true })] };
`,
    'src/pay.tsx': documented('Solid'),
    'src/main.tsx': `import { createSignal, onMount, Show } from 'solid-js';
import { render } from 'solid-js/web';
import { Pay } from './pay';

function App() {
  const [token, setToken] = createSignal('');
  const [told, setTold] = createSignal('');
  onMount(async () => {
    const answer = await fetch('/order');
    setToken(((await answer.json()) as { token: string }).token);
  });
  return (
    <>
      <Show when={token()}>
        <Pay token={token()} onPaid={setTold} />
      </Show>
      <p id="told">{told()}</p>
    </>
  );
}

render(() => <App />, document.querySelector('#app')!);
`,
    'src/server.tsx': `import { renderToString } from 'solid-js/web';
import { Pay } from './pay';

console.log(renderToString(() => <Pay token="token" onPaid={() => undefined} />));
`,
  },
};

export const svelte: Fixture = {
  packages: {
    '@sveltejs/vite-plugin-svelte': VITE_PLUGIN_SVELTE,
    'svelte-check': SVELTE_CHECK,
    ...versions('svelte', 'typescript', 'vite'),
  },
  build: [
    ['npx', 'svelte-check', '--fail-on-warnings'],
    ['npx', 'vite', 'build'],
  ],
  serve: { folder: 'dist' },
  setsCustomer: true,
  refuses: {
    file: 'src/Pay.svelte',
    right: '({ payin })',
    wrong: '({ payin, url })',
    because: /'url' does not exist on type 'PayinConfirmedEvent'/,
  },
  files: {
    'index.html': withApp('main.ts'),
    'tsconfig.json': tsconfig({ verbatimModuleSyntax: true, isolatedModules: true }),
    'vite.config.js': `import { svelte } from '@sveltejs/vite-plugin-svelte';
export default { plugins: [svelte({ configFile: false })] };
`,
    'src/Pay.svelte': documented('Svelte'),
    'src/App.svelte': `<script lang="ts">
  import { onMount } from 'svelte';
  import Pay from './Pay.svelte';

  let token = $state('');
  let told = $state('');

  onMount(async () => {
    const answer = await fetch('/order');
    token = ((await answer.json()) as { token: string }).token;
  });
</script>

{#if token}
  <Pay {token} onPaid={(reference) => (told = reference)} />
{/if}
<p id="told">{told}</p>
`,
    'src/main.ts': `import { mount } from 'svelte';
import App from './App.svelte';

mount(App, { target: document.querySelector('#app')! });
`,
  },
};

export const angular: Fixture = {
  packages: {
    ...Object.fromEntries(
      ['build', 'cli', 'core', 'common', 'compiler', 'compiler-cli', 'platform-browser'].map((name) => [
        `@angular/${name}`,
        ANGULAR,
      ]),
    ),
    rxjs: RXJS,
    typescript: ANGULAR_TYPESCRIPT,
  },
  build: [
    ['npx', 'ngc', '-p', 'tsconfig.json', '--noEmit'],
    ['npx', 'ng', 'build'],
  ],
  serve: { folder: 'dist/shop/browser' },
  setsCustomer: true,
  refuses: {
    file: 'src/pay.ts',
    right: 'confirmed($event)',
    wrong: 'confirmed($event.url)',
    because: /'url' does not exist on type 'PayinConfirmedEvent'/,
  },
  files: {
    'angular.json': JSON.stringify({
      version: 1,
      cli: { analytics: false },
      projects: {
        shop: {
          projectType: 'application',
          root: '',
          architect: {
            build: {
              builder: '@angular/build:application',
              options: {
                browser: 'src/main.ts',
                index: 'src/index.html',
                tsConfig: 'tsconfig.json',
                // What `ng new` writes.
                budgets: [{ type: 'initial', maximumWarning: '500kB', maximumError: '1MB' }],
                ...documentedSetting('allowedCommonJsDependencies'),
              },
            },
          },
        },
      },
    }),
    'src/index.html': page('<base href="/" />', '<app-root></app-root>'),
    'tsconfig.json': JSON.stringify({
      ...(JSON.parse(tsconfig({ noEmit: false, experimentalDecorators: true })) as object),
      angularCompilerOptions: { strictTemplates: true },
    }),
    'src/pay.ts': documented('Angular'),
    'src/main.ts': `import { Component, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { Pay } from './pay';

@Component({
  selector: 'app-root',
  imports: [Pay],
  template: \`
    @if (token()) {
      <app-pay [token]="token()" (paid)="told.set($event)" />
    }
    <p id="told">{{ told() }}</p>
  \`,
})
class App {
  readonly token = signal('');
  readonly told = signal('');

  constructor() {
    void fetch('/order').then(async (answer) =>
      this.token.set(((await answer.json()) as { token: string }).token),
    );
  }
}

void bootstrapApplication(App);
`,
  },
};
