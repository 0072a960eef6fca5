import './look/styles/base.css';
import './look/styles/frame.css';
import './look/styles/parts.css';
import './look/styles/form.css';
import './look/styles/copy.css';
import './sandbox/control/control.css';
import { PageCopy } from './look/parts/copy.js';
import { adoptPalette } from './look/parts/parts.js';
import { SandboxControl } from './sandbox/control/sandbox-control.js';

/** The control page of the sandbox. It is built into dist/pages/control and served by `pay-checkout sandbox`. */

adoptPalette();
customElements.define('page-copy', PageCopy);
customElements.define('sandbox-control', SandboxControl);
