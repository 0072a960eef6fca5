import { type Fixture, page, tsconfig, versions } from './fixture-kit.js';
import { angular, preact, solid, svelte } from './framework-fixtures.js';
import { svelte4, vue2 } from './older-fixtures.js';

const NEXT = '16.4.6';

/** Plain Node importing ./server: the backend of all the others too. It serves a folder beside the checkout. */
const node: Fixture = {
  packages: {},
  build: [],
  serve: { folder: '.' },
  files: {
    'server.mjs': `import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { listen } from 'pay-checkout/node';
import { createSandbox, SANDBOX_DEFAULTS } from 'pay-checkout/sandbox';
import { createCheckout, memoryStore } from 'pay-checkout/server';
import { createServiceClient } from 'pay-checkout/service';

const folder = process.argv[2] ?? '.';
// Every payment is paid a moment after it was made.
const sandbox = createSandbox({ autoOutcome: 'always', timings: { outcomeDelayMs: 1500 } });
const checkout = createCheckout({
  basePath: '/checkout',
  service: createServiceClient({
    baseUrl: 'https://service.test',
    apiKey: SANDBOX_DEFAULTS.apiKey,
    accessToken: SANDBOX_DEFAULTS.accessToken,
    fetch: async (...call) => sandbox.fetch(new Request(...call)),
  }),
  store: memoryStore(),
  merchant: { name: 'Mi tienda' },
  orderSecret: 'thirty-two characters or more, and secret',
  webhook: { header: SANDBOX_DEFAULTS.webhookHeaderName, secret: SANDBOX_DEFAULTS.webhookHeaderValue },
  findOrder: () => ({ amountInCents: 4_290_000, description: 'Café' }),
  onConfirmed: ({ order }) => console.log('paid ' + order),
  // Behind another server, which payers know it by.
  ...(process.env.PUBLIC_URL ? { publicUrl: process.env.PUBLIC_URL + '/checkout' } : {}),
});
checkout.work();

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };
let orders = 0;
const { url } = await listen({
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/checkout/')) return checkout.fetch(request, env);
    if (pathname === '/order') return Response.json({ token: await checkout.orderToken('A-' + ++orders) });
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file) || !statSync(file).isFile()) return new Response('', { status: 404 });
    const headers = { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' };
    return new Response(readFileSync(file), { headers });
  },
});
console.log('listening ' + url);
`,
    'imports.mjs': `import * as all from 'pay-checkout';
await import('pay-checkout/define');
await import('pay-checkout/simulator');
for (const types of ['preact', 'solid', 'svelte', 'vue']) await import('pay-checkout/' + types);
const { es } = await import('pay-checkout/locales/es');
const { en } = await import('pay-checkout/locales/en');
const { createRequire } = await import('node:module');
const manifest = createRequire(import.meta.url)('pay-checkout/custom-elements.json');
console.log(typeof all.PayCheckoutElement, es.retry, en.retry, manifest.schemaVersion);
`,
  },
};

/** The element by our wrapper. `mount` puts the App on the page. */
const reactProject = (packages: Fixture['packages'], mount: string): Fixture => ({
  packages: { ...packages, ...versions('typescript', 'vite') },
  build: [
    ['npx', 'tsc'],
    ['npx', 'vite', 'build'],
  ],
  serve: { folder: 'dist' },
  files: {
    'index.html': page('', '<div id="app"></div><script type="module" src="/src/main.tsx"></script>'),
    'tsconfig.json': tsconfig({ jsx: 'react-jsx' }),
    'src/main.tsx': `import { StrictMode, useEffect, useState } from 'react';
import { PayCheckout } from 'pay-checkout/react';

function App() {
  const [order, setOrder] = useState<string | null>(null);
  const [told, setTold] = useState('');
  useEffect(() => {
    void fetch('/order').then(async (answer) => setOrder(((await answer.json()) as { token: string }).token));
  }, []);
  return (
    <>
      <PayCheckout backend="/checkout" order={order} onPayinConfirmed={({ payin }) => setTold(payin.reference)} />
      <p id="told">{told}</p>
    </>
  );
}

const app = (
  <StrictMode>
    <App />
  </StrictMode>
);
${mount}`,
  },
});

const WITH_ROOT = `import { createRoot } from 'react-dom/client';
createRoot(document.querySelector('#app')!).render(app);
`;

const react = reactProject(versions('react', 'react-dom', '@types/react', '@types/react-dom'), WITH_ROOT);

const react18 = reactProject(
  { react: '18.3.1', 'react-dom': '18.3.1', '@types/react': '18.3.31', '@types/react-dom': '18.3.7' },
  WITH_ROOT,
);

const react17 = reactProject(
  { react: '17.0.2', 'react-dom': '17.0.2', '@types/react': '17.0.93', '@types/react-dom': '17.0.26' },
  `import { render } from 'react-dom';
render(app, document.querySelector('#app'));
`,
);

const vue: Fixture = {
  packages: versions('vue', '@vitejs/plugin-vue', 'vue-tsc', 'typescript', 'vite'),
  build: [
    ['npx', 'vue-tsc'],
    ['npx', 'vite', 'build'],
  ],
  serve: { folder: 'dist' },
  files: {
    'index.html': page('', '<div id="app"></div><script type="module" src="/src/main.ts"></script>'),
    'tsconfig.json': tsconfig({}),
    'vite.config.js': `import vue from '@vitejs/plugin-vue';
export default {
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'pay-checkout' } } })],
};
`,
    'src/main.ts': `import 'pay-checkout/define';
import { createApp } from 'vue';
import App from './App.vue';

createApp(App).mount('#app');
`,
    'src/App.vue': `<script setup lang="ts">
import { onMounted, ref } from 'vue';
import type {} from 'pay-checkout/vue';

const order = ref<string | null>(null);
const told = ref('');
onMounted(async () => {
  const answer = await fetch('/order');
  order.value = ((await answer.json()) as { token: string }).token;
});
</script>

<template>
  <pay-checkout
    backend="/checkout"
    :order="order"
    @payin-confirmed="({ payin }) => (told = payin.reference)"
  ></pay-checkout>
  <p id="told">{{ told }}</p>
</template>
`,
  },
};

const html: Fixture = {
  packages: {},
  build: [['cp', '-r', 'node_modules/pay-checkout/dist/cdn', 'cdn']],
  serve: { folder: '.' },
  files: {
    'index.html': page(
      '<script src="/cdn/CLASSIC_FILE" integrity="CLASSIC_INTEGRITY" crossorigin="anonymous" defer></script>',
      `<pay-checkout backend="/checkout"></pay-checkout><p id="told"></p><script src="/page.js"></script>`,
    ),
    'page.js': `const checkout = document.querySelector('pay-checkout');
checkout.addEventListener('payin-confirmed', ({ payin }) => {
  document.querySelector('#told').textContent = payin.reference;
});
fetch('/order').then(async (answer) => checkout.setAttribute('order', (await answer.json()).token));
`,
  },
};

const next: Fixture = {
  packages: { next: NEXT, ...versions('react', 'react-dom', '@types/react', '@types/node', 'typescript') },
  build: [['npx', 'next', 'build']],
  serve: { command: ['npx', 'next', 'start', '--hostname', '127.0.0.1', '--port'] },
  files: {
    'next.config.mjs': `const backend = process.env.BACKEND_URL;
export default {
  rewrites: async () => [{ source: '/checkout/:path*', destination: backend + '/checkout/:path*' }],
};
`,
    'tsconfig.json': JSON.stringify({
      ...(JSON.parse(tsconfig({ jsx: 'react-jsx', esModuleInterop: true, skipLibCheck: true })) as object),
      include: ['app', 'next-env.d.ts'],
    }),
    'app/layout.tsx': `import type { ReactNode } from 'react';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="es">
      <body>{children}</body>
    </html>
  );
}
`,
    'app/page.tsx': `import { Pay } from './pay';

export const dynamic = 'force-dynamic';

/** On the server: the order is known before the page is sent. */
export default async function Page() {
  const answer = await fetch(process.env.BACKEND_URL + '/order', { cache: 'no-store' });
  const { token } = (await answer.json()) as { token: string };
  return <Pay order={token} />;
}
`,
    'app/pay.tsx': `'use client';
import { useState } from 'react';
import { PayCheckout } from 'pay-checkout/react';

export function Pay({ order }: { order: string }) {
  const [told, setTold] = useState('');
  return (
    <>
      <PayCheckout backend="/checkout" order={order} onPayinConfirmed={({ payin }) => setTold(payin.reference)}>
        <p>Cargando el pago…</p>
      </PayCheckout>
      <p id="told">{told}</p>
    </>
  );
}
`,
  },
};

export const FIXTURES = {
  node,
  html,
  'React 19': react,
  'React 18': react18,
  'React 17': react17,
  'Next 16': next,
  'Vue 3': vue,
  'Vue 2': vue2,
  'Svelte 5': svelte,
  'Svelte 4': svelte4,
  'Preact 11': preact,
  'Solid 1': solid,
  'Angular 21': angular,
} satisfies Record<string, Fixture>;
export type FixtureName = keyof typeof FIXTURES;
