import './look/styles/base.css';
import './look/styles/frame.css';
import './look/styles/parts.css';
import './look/styles/form.css';
import './look/styles/copy.css';
import './console/page/styles/charts.css';
import './console/page/styles/link.css';
import './console/page/styles/payout.css';
import './console/page/styles/desk.css';
import './console/page/styles/print.css';
import { adoptPalette } from './look/parts/parts.js';
import { MerchantConsole } from './console/page/merchant-console.js';

/** The page of the merchant's console. It is built into dist/pages/console and served with the console's backend. */

export type * from './contract/merchant/console.js';
export type * from './contract/merchant/payouts.js';

adoptPalette();
customElements.define('merchant-console', MerchantConsole);
