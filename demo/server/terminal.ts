import type { LogEntry, PaymentNotice } from '../../src/server.js';

/**
 * What the terminal of `npm start` says of the shop's payments, a line each; `--verbose` writes the kit's log instead.
 * Terminals get English, from here as from the package's commands; pages get the reader's language.
 */

const RAILS: Readonly<Record<string, string>> = { BRE_B: 'Bre-B', PSE: 'PSE' };

export function paymentLine(hook: string, notice: PaymentNotice): string | undefined {
  const { order, rail, amountInCents, confirmedAmountInCents: arrived } = notice;
  const by = rail === null ? 'payment link' : (RAILS[rail] ?? rail);
  const received = money(arrived ?? amountInCents);
  switch (hook) {
    case 'onConfirmed':
      return `✓ ${order} paid ${received} · ${by}`;
    case 'onDeclined':
      return `✗ ${order} declined ${money(amountInCents)} · ${by}`;
    case 'onCanceled':
      return `✗ ${order} canceled ${money(amountInCents)} · ${by}`;
    case 'onAmountMismatch':
      return `! ${order} received ${received} of ${money(amountInCents)} · ${by}`;
    case 'onDuplicatePayment':
      return `! ${order} paid again: ${received} · ${by}`;
    case 'onChargeback':
      return `! ${order} charged back: ${received} · ${by}`;
    default:
      return undefined;
  }
}

/** What an engineer must look at; payments have lines of their own. */
export function troubleLine({ level, event, order, message, detail, code }: LogEntry): string | undefined {
  if (level !== 'error') return undefined;
  return `! ${[event, order, message ?? detail ?? code].filter((part) => part !== undefined).join(' · ')}`;
}

function money(cents: number): string {
  const digits = cents % 100 === 0 ? 0 : 2;
  const pesos = new Intl.NumberFormat('es-CO', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `$ ${pesos.format(cents / 100)}`;
}
