/**
 * What a status means. The service names its final outcomes only in its events, so names may differ between
 * environments: they can be remapped, and an unknown name is open, never paid.
 */

export const PAYIN_STATUSES = ['PENDING', 'PROCESSING', 'CONFIRMED', 'DECLINED', 'CANCELED'] as const;
export type PayinStatus = (typeof PAYIN_STATUSES)[number];

export const LINK_STATUSES = ['PENDING', 'COMPLETED', 'EXPIRED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

export type AttemptStatus = PayinStatus | LinkStatus;

/** Extra names and what they mean here, for example `{ APPROVED: 'CONFIRMED' }`. */
export type StatusNames<Status extends string = PayinStatus> = Readonly<Record<string, Status>>;

/** The known status behind a name from the wire; any unknown name is still being processed. */
export function payinStatus(name: string, names: StatusNames = {}): PayinStatus {
  return known(name, PAYIN_STATUSES, names) ?? 'PROCESSING';
}

/** The known link status behind a name from the wire; any unknown name is still pending. */
export function linkStatus(name: string, names: StatusNames<LinkStatus> = {}): LinkStatus {
  return known(name, LINK_STATUSES, names) ?? 'PENDING';
}

export function isFinal(status: AttemptStatus): boolean {
  return status !== 'PENDING' && status !== 'PROCESSING';
}

/** The only two words that mean money arrived. */
export function isPaid(status: AttemptStatus): boolean {
  return status === 'CONFIRMED' || status === 'COMPLETED';
}

function known<Status extends string>(
  name: string,
  statuses: readonly Status[],
  names: StatusNames<Status>,
): Status | undefined {
  // Own properties only: a status called "constructor" must not find Object's.
  if (Object.hasOwn(names, name)) return names[name];
  return statuses.find((status) => status === name);
}
