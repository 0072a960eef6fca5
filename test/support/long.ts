/** Whether this is `npm run test:long`, which tries everywhere what `npm test` tries at a few places. */
export const isLong = process.env['PAY_CHECKOUT_LONG'] === '1';
