import '../../src/console-page.js';
