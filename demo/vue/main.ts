import { createApp } from 'vue';
// In your project: import 'pay-checkout/define';
import '../../src/define.js';
import Shop from './Shop.vue';

createApp(Shop).mount('#app');
