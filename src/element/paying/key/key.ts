import { type TemplateResult, css } from 'lit';
import { esKey } from '../../../locales/es/key.js';
import type { Link, Paying } from '../../../machine/state.js';
import { type PayingContext, withWords } from '../context.js';
import { appsStyles } from './apps.js';
import { brebStyles, renderBreb } from './breb.js';
import { copyRowStyles } from './copy-row.js';
import { linkStyles, renderLink } from './link.js';
import { renderOneDevice } from './one-device.js';
import { phoneStyles } from './phone.js';
import { qrStyles } from './qr.js';
import { waitLineStyles } from './wait-line.js';

/** A file of its own: what a payer copies or scans to pay elsewhere, which is a key of Bre-B or a payment link. */

export function renderKey(screen: Paying | Link, context: PayingContext): TemplateResult {
  const worded = withWords(esKey, context);
  if (screen.phase === 'link') return renderLink(screen, worded);
  return context.touch ? renderOneDevice(screen, worded) : renderBreb(screen, worded);
}

export const styles = css`
  ${copyRowStyles}
  ${qrStyles}
  ${waitLineStyles}
  ${brebStyles}
  ${appsStyles}
  ${phoneStyles}
  ${linkStyles}
`;
