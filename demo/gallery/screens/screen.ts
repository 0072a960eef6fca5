import { type Phase, type PayCheckoutElement, TransportError } from '../../../src/index.js';
import type { Answers } from '../canned-transport.js';
import { offer } from '../fixtures.js';

export type GalleryRail = 'ANY' | 'BRE_B' | 'PSE' | 'LINK';

/** One picture of the gallery: what the backend says and what the payer did to get there. */
export interface GalleryScreen {
  readonly id: string;
  readonly title: string;
  readonly rail: GalleryRail;
  /** The phase it must end in, so that a gallery that shows something else is noticed. */
  readonly phase: Phase;
  readonly answers: () => Answers;
  /** The payer comes back from the bank by this attempt's id. */
  readonly returned?: string;
  readonly properties?: Partial<Pick<PayCheckoutElement, 'hosted' | 'share' | 'customer' | 'bank'>>;
  /** Seen on a touch screen, whatever the gallery is seen on. */
  readonly touch?: boolean;
  /** Needs the page to itself: what happens to the window happens to every element that is there. */
  readonly first?: boolean;
  readonly act?: (payer: Payer) => Promise<void>;
}

/** What a payer does, by what a payer sees. */
export interface Payer {
  press(part: 'button' | 'button-secondary', index?: number): Promise<void>;
  /** Waits until a press has led there. */
  sees(phase: Phase): Promise<void>;
  tick(index: number): Promise<void>;
  type(id: string, text: string): Promise<void>;
  toggle(part: string): Promise<void>;
  /** The device loses its network. */
  offline(): Promise<void>;
}

/** The order has this attempt. */
export const open = (attempt: Answers['created'] & object) => () => ({
  offer: offer({ attempt: attempt instanceof TransportError ? null : attempt }),
});
export const refused = (
  code: 'service_unavailable' | 'too_many_attempts' | 'not_found' | 'pse_in_progress' | 'offer_changed',
  more = {},
) => new TransportError('PROBLEM', { problem: { code, ...more }, status: 409 });
