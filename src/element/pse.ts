import { css } from './css.js';
import { bankStyles } from './views/bank.js';
import { detailsStyles } from './views/details.js';

/** The form, and the way to a bank and back, in one chunk: whoever pays with PSE needs both. */
export { safeAddress } from './safe-address.js';
export { renderBank } from './views/bank.js';
export { renderDetails } from './views/details.js';

export const styles = css`
  ${detailsStyles}
  ${bankStyles}
`;
