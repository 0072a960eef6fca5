import { formatMoney } from '../contract/values/money.js';

/** An amount as the terminal shows it: with a plain space, so that it can be searched for; what is missing is negative. */
export function pesos(cents: number): string {
  const amount = formatMoney(Math.abs(cents), 'COP', 'es').replace('\u00a0', ' ');
  return cents < 0 ? `-${amount}` : amount;
}
