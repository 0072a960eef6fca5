import { ask, find } from './page-kit.js';

try {
  const { sandboxUrl, database } = await ask<{ sandboxUrl: string; database: string }>('/api/demo');
  find<HTMLAnchorElement>('#sandbox').href = `${sandboxUrl}/_/`;
  find('#database').textContent = `Demostración local. Los pedidos viven en ${database}.`;
} catch {
  // Pages opened without their backend still show the way to the others.
}
