import './console/styles/base.css';
import './console/styles/console.css';
import './console/styles/parts.css';
import './console/styles/form.css';
import './console/styles/copy.css';
import './console/styles/charts.css';
import './console/styles/link.css';
import './console/styles/webhooks.css';
import './console/styles/payout.css';
import './console/styles/orders.css';
import './console/styles/print.css';
import { MerchantConsole } from './console/console.js';

/** The page of the merchant's console. It is built into dist/console and served by `serve --console`. */

export type * from './contract/console.js';

customElements.define('merchant-console', MerchantConsole);
