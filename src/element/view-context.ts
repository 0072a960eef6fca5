import type { Happening } from '../machine/input.js';
import type { Messages } from '../locales/messages.js';

/**
 * What a view gets beside its screen: words, the way to say what the payer did, and the few facts of the page that
 * change what is drawn. Views are functions of this; they keep nothing and ask nobody.
 */
export interface ViewContext {
  readonly messages: Messages;
  /** Tells the machine; the element stamps the time. */
  readonly send: (happening: Happening) => void;
  /** A fresh idempotency key for inputs that may create. */
  readonly newKey: () => string;
  /** This device's clock, in epoch milliseconds, as of this render. */
  readonly nowMs: number;
  /** Server clock minus this device's clock. */
  readonly clockOffsetMs: number;
  /** The payer's pointer is a finger, so this screen is probably the phone with the bank's app on it. */
  readonly touch: boolean;
}
