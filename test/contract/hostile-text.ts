import * as fc from 'fast-check';

/** Hostile text: any UTF-16 units (lone surrogates too), names of prototype members, and long runs. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 50 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '\ud800', '\udfff\ud800', '\0'),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.nat(20_000))
    .map(([unit, times]) => unit.repeat(times)),
);
