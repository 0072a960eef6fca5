/** The checkout on Node's own HTTP server, alone or inside Express and its kin. */
export { type Fetches, listen, type Listening, type ListenOptions, toNodeHandler } from './node/listen.js';
