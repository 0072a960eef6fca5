import { css } from 'lit';
import type { Hint } from '../../machine/input.js';
import type {
  Creating,
  Details,
  Link,
  Paying,
  Pending,
  Redirecting,
  Verifying,
} from '../../machine/state.js';
import type { ViewContext } from '../host.js';
import { bankFieldStyles } from './bank-field.js';
import { bankStyles, renderBank } from './bank.js';
import { brebStyles, renderBreb } from './breb.js';
import type { Drawn } from './common.js';
import { copyRowStyles } from './copy-row.js';
import { detailsStyles, renderDetails } from './details.js';
import { fieldStyles } from './field.js';
import { linkStyles, renderLink } from './link.js';
import { phoneStyles } from './phone.js';
import { qrStyles } from './qr.js';
import { waitLineStyles } from './wait-line.js';

export type PaymentScreen = Details | Creating | Paying | Redirecting | Verifying | Pending | Link;

/** The screens between the choice of a method and the outcome: a part of its own (see `PaymentPart`). */
export function renderPayment(screen: PaymentScreen, hint: Hint | null, context: ViewContext): Drawn {
  switch (screen.phase) {
    case 'details':
    case 'creating':
      return renderDetails(screen, hint, context);
    case 'paying':
      return renderBreb(screen, context);
    case 'redirecting':
    case 'verifying':
    case 'pending':
      return renderBank(screen, context);
    case 'link':
      return renderLink(screen, context);
    default:
      throw new TypeError(`Unknown screen: ${JSON.stringify(screen satisfies never)}`);
  }
}

export const paymentStyles = css`
  ${copyRowStyles}
  ${qrStyles}
  ${waitLineStyles}
  ${brebStyles}
  ${phoneStyles}
  ${linkStyles}
  ${fieldStyles}
  ${bankFieldStyles}
  ${detailsStyles}
  ${bankStyles}
`;
