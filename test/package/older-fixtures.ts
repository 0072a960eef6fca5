import { type Fixture, page, versions } from './fixture-kit.js';

/** Frameworks that shops still have of the major version before the last. */

const withApp = page('', '<div id="app"></div><script type="module" src="/src/main.js"></script>');

/** With the compiler in the page: the plugin for single files knows no Vite of today. */
export const vue2: Fixture = {
  packages: { vue: '2.7.16', ...versions('vite') },
  build: [['npx', 'vite', 'build']],
  serve: { folder: 'dist' },
  files: {
    'index.html': withApp,
    'src/main.js': `import 'pay-checkout/define';
import Vue from 'vue/dist/vue.esm.js';

Vue.config.productionTip = false;
Vue.config.ignoredElements = ['pay-checkout'];
new Vue({
  el: '#app',
  data: { order: null, told: '' },
  async created() {
    this.order = (await (await fetch('/order')).json()).token;
  },
  template: \`<div>
    <pay-checkout backend="/checkout" :order="order" @payin-confirmed="told = $event.payin.reference"></pay-checkout>
    <p id="told">{{ told }}</p>
  </div>\`,
});
`,
  },
};

export const svelte4: Fixture = {
  packages: { svelte: '4.2.20', '@sveltejs/vite-plugin-svelte': '3.1.2', vite: '5.4.21' },
  build: [['npx', 'vite', 'build']],
  serve: { folder: 'dist' },
  files: {
    'index.html': withApp,
    'vite.config.js': `import { svelte } from '@sveltejs/vite-plugin-svelte';
export default { plugins: [svelte({ configFile: false })], build: { target: 'es2022' } };
`,
    'src/App.svelte': `<script>
  import { onMount } from 'svelte';
  import 'pay-checkout/define';

  let order = null;
  let told = '';

  onMount(async () => {
    order = (await (await fetch('/order')).json()).token;
  });
</script>

<pay-checkout backend="/checkout" {order} on:payin-confirmed={({ payin }) => (told = payin.reference)}></pay-checkout>
<p id="told">{told}</p>
`,
    'src/main.js': `import App from './App.svelte';

new App({ target: document.querySelector('#app') });
`,
  },
};
