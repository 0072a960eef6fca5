import type { Attempt } from '../../contract/backend.js';
import { currentOf } from '../../machine/current.js';
import type { Input } from '../../machine/input.js';
import type { Screen, State } from '../../machine/state.js';
import type { Host, ChunkType } from '../host.js';
import { Chunk } from '../opening/chunk.js';

/**
 * The screens that not every payment shows. A payment is created only when those are here that it shows until it is
 * decided: a key, the way to the bank, or a link.
 */

class KeyChunk extends Chunk<typeof import('./key/key.js')> {
  constructor(host: Host) {
    super(host, () => import('./key/key.js'));
  }
}

export class PseChunk extends Chunk<typeof import('./pse/pse.js')> {
  constructor(host: Host) {
    super(host, () => import('./pse/pse.js'));
  }
}

class LinkChunk extends Chunk<typeof import('./link/link.js')> {
  constructor(host: Host) {
    super(host, () => import('./link/link.js'));
  }
}

/** By what a payer pays. */
type Means = Pick<Attempt, 'kind' | 'rail'>;

/** Draws a payment until it is decided. */
export function chunkOf({ kind, rail }: Means): typeof KeyChunk | typeof PseChunk | typeof LinkChunk {
  if (kind === 'PAYMENT_LINK') return LinkChunk;
  return rail === 'PSE' ? PseChunk : KeyChunk;
}

/** What must be here before an input is taken, or before the present screen can be drawn. */
export function chunksFor({ screen }: State, input: Input | null): readonly ChunkType[] {
  if (!input) return chunksOn(screen);
  const means = meansOf(input, screen);
  return means ? [chunkOf(means)] : [];
}

/** What an input that may create pays by. */
function meansOf(input: Input, screen: Screen): Means | null {
  switch (input.type) {
    case 'choose':
      return input.method;
    case 'submit':
      return input.choice;
    case 'renew':
      return currentOf(screen);
    default:
      // What is tried again was there for the first try.
      return null;
  }
}

function chunksOn(screen: Screen): readonly ChunkType[] {
  switch (screen.phase) {
    case 'details':
      return [PseChunk];
    case 'preparing':
    case 'paying':
    case 'redirecting':
    case 'verifying':
    case 'pending':
    case 'link':
    case 'lapsed':
      return [chunkOf(screen.attempt)];
    default:
      return [];
  }
}
