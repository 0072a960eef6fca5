import '../../src/console.js';
