import { show } from './show.js';

/** A page without a checkout: what the browser itself costs. */
await show({
  mount: () => () => {},
  first: () => document.querySelector('h1'),
  code: () => null,
  outcome: () => null,
});
