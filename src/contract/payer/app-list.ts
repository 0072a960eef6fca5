import type { BrebApp } from '../offer.js';

/**
 * Apps whose way to Bre-B was published, for a merchant to offer and to add to. No bank publishes an address that opens
 * its app there, so none has one. Bancolombia: Noticias Caracol, 3 September 2025. Nequi: Noticias Caracol, July 2025.
 */
export const BREB_APPS: readonly BrebApp[] = [
  { name: 'Nequi', path: 'Bre-B' },
  { name: 'Bancolombia', path: 'Bre-B Tus llaves' },
];
