import type { Attempt, Method } from '../contract/backend.js';
import type { Choice, RememberedChoice } from './input.js';

type Way = Method | Choice | RememberedChoice | Attempt;

/** Whether two are the same way of paying, as far as both tell. */
export function isAlike(one: Way, other: Way): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'PAYMENT_LINK' || other.kind === 'PAYMENT_LINK') return true;
  const [key, otherKey] = [keyTypeOf(one), keyTypeOf(other)];
  return one.rail === other.rail && (key === otherKey || !key || !otherKey);
}

function keyTypeOf(way: object): unknown {
  const { keyType, sourceData } = way as { keyType?: string; sourceData?: { keyType?: string } | null };
  return keyType ?? sourceData?.keyType;
}
