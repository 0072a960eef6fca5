import DefaultTheme from 'vitepress/theme';
import LiveCheckout from './LiveCheckout.vue';
import './site.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('LiveCheckout', LiveCheckout);
  },
};
