import { read, type FieldError, type Reading } from '../contract/schema.js';
import { identifier, text } from '../contract/fields.js';
import type { InlineCustomer } from '../contract/service/resources.js';
import { ServiceError } from './errors.js';
import type { Operation } from './operations.js';

/** Checks what the caller gives before anything is sent. */

export function requireValid<Value>(operation: Operation, reading: Reading<Value>): Value {
  if (!reading.ok) throw new ServiceError('invalid_input', operation, { fields: reading.errors });
  return reading.value;
}

export function invalid(operation: Operation, field: string, code: FieldError['code']): ServiceError {
  return new ServiceError('invalid_input', operation, { fields: [{ field, code }] });
}

export function requireId(operation: Operation, field: string, id: string): string {
  return requireSegment(operation, field, read(identifier, id));
}

export function requireKey(operation: Operation, keyString: string): string {
  return requireSegment(operation, 'keyString', read(text(256), keyString));
}

/** Encoding does not help against dots, which URLs resolve, nor with half a surrogate pair, which it cannot encode. */
function requireSegment(operation: Operation, field: string, reading: Reading<string>): string {
  if (!reading.ok) {
    const errors = reading.errors.map(({ code }) => ({ field, code }));
    throw new ServiceError('invalid_input', operation, { fields: errors });
  }
  const segment = reading.value;
  if (segment === '.' || segment === '..' || /\p{Surrogate}/u.test(segment))
    throw invalid(operation, field, 'format');
  return segment;
}

/**
 * A person's data in a request, to recognise it should the service's answer repeat it: whole, and in those words
 * that are too long to turn up in a request id by chance.
 */
export function personalTexts(customer: InlineCustomer | undefined, keyString?: string): string[] {
  const texts = [customer?.name, customer?.idNumber, customer?.phone, customer?.email, keyString].filter(
    (value) => value !== undefined,
  );
  return [...texts, ...texts.flatMap((value) => value.split(/[\s@+.]/)).filter((word) => word.length > 3)];
}
