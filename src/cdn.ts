/** For script tags: exports nothing, so that a second copy replaces nothing that the page knows by a name. */
import './define.js';
