import { Part } from '../controllers/part.js';
import type { Host } from '../host.js';

/** What paying needs, on either rail: the form, the key and the code, the way to the bank. With their styles. */
export class PaymentPart extends Part<Pick<typeof import('./payment.js'), 'renderPayment'>> {
  constructor(host: Host) {
    super(host, async () => {
      const { renderPayment, paymentStyles } = await import('./payment.js');
      const { adoptedStyleSheets } = host.renderRoot;
      const { styleSheet } = paymentStyles;
      if (styleSheet && !adoptedStyleSheets.includes(styleSheet)) adoptedStyleSheets.push(styleSheet);
      return { renderPayment };
    });
  }
}
