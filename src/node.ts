/** The checkout on Node's own HTTP server, alone or inside Express and its kin, and the pages that the package ships. */
export { type Fetches, listen, type Listening, type ListenOptions, toNodeHandler } from './node/listen.js';
export { pageFiles } from './node/page-files.js';
