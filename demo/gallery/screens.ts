import { beforePayment } from './screens/before.js';
import { ended } from './screens/ended.js';
import type { GalleryScreen } from './screens/screen.js';
import { underWay } from './screens/under-way.js';

/** Every screen of the checkout, in the order in which a payer could come to them. */
export const screens: readonly GalleryScreen[] = [...beforePayment, ...underWay, ...ended];
