/** What the sandbox's page of a payment link loads from here: the widget, and nothing else. */
import '../../src/define.js';
