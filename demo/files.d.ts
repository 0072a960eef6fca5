/** Files that the bundler understands and the compiler does not. */

declare module '*.svg' {
  const address: string;
  export default address;
}

declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent;
  export default component;
}
