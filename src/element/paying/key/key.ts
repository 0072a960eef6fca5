import { type TemplateResult, css } from 'lit';
import { esKey } from '../../../locales/es/key.js';
import { type OpenScreen, type PayingContext, withWords } from '../context.js';
import { renderLapsed, renderPreparing } from '../open-attempt.js';
import { appsStyles } from './apps.js';
import { brebStyles, renderBreb } from './breb.js';
import { copyRowStyles } from './copy-row.js';
import { renderOneDevice } from './one-device.js';
import { phoneStyles } from './phone.js';
import { qrStyles } from './qr.js';
import { waitLineStyles } from './wait-line.js';

/** A file of its own: the key of Bre-B, which a payer copies or scans to pay elsewhere. */

export function renderOpen(screen: OpenScreen, context: PayingContext): TemplateResult {
  const worded = withWords(esKey, context);
  const { messages } = worded;
  switch (screen.phase) {
    case 'preparing':
      return renderPreparing(screen, context, {
        title: messages.creatingBreb,
        stalledTitle: messages.stalledBrebTitle,
        stalledLead: `${messages.stalledBrebLead} ${messages.payAgain(context.others)}`,
      });
    case 'paying':
      return context.touch ? renderOneDevice(screen, worded) : renderBreb(screen, worded);
    case 'lapsed':
      return renderLapsed(screen, context, {
        title: messages.lapsedTitle,
        lead: messages.lapsedLead,
        again: messages.newKey,
      });
    default:
      throw new TypeError(`Not a screen of a key's: ${screen.phase}`);
  }
}

export const styles = css`
  ${copyRowStyles}
  ${qrStyles}
  ${waitLineStyles}
  ${brebStyles}
  ${appsStyles}
  ${phoneStyles}
`;
