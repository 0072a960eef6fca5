import { Part } from '../controllers/part.js';
import type { Host } from '../host.js';

/** What paying needs, on either rail: the form, the key and the code, the way to the bank. With their styles. */
export class PaymentPart extends Part<typeof import('./payment.js')> {
  constructor(host: Host) {
    super(host, async () => {
      const payment = await import('./payment.js');
      const { adoptedStyleSheets } = host.renderRoot;
      const { styleSheet } = payment.paymentStyles;
      if (styleSheet && !adoptedStyleSheets.includes(styleSheet)) adoptedStyleSheets.push(styleSheet);
      return payment;
    });
  }
}
