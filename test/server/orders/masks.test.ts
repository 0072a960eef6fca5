import assert from 'node:assert/strict';
import { test } from 'vitest';
import { documentEndOf, maskEmail, maskKey, maskName, maskNumber } from '../../../src/server/orders/masks.js';
import { CUSTOMER } from '../world.js';

test('of a person there is enough to recognise them by, and no more', () => {
  const shown: readonly (readonly [mask: (text: string) => string, text: string, shown: string])[] = [
    [maskName, 'Receptor de Prueba', 'Rec*** de Pru***'],
    [maskName, 'Íñigo  Ñáñez', 'Íñi*** Ñáñ***'],
    [maskNumber, '12345678901', '•••• 8901'],
    [maskNumber, '1234', '••••'],
    [maskEmail, 'ana@correo.test', 'a•••@correo.test'],
    [maskEmail, '@correo.test', '•••'],
    [maskEmail, 'ana', '•••'],
    [maskKey, 'ana@correo.test', 'a•••@correo.test'],
    [maskKey, '@anaperez', '@an•••ez'],
    [maskKey, '3001234567', '300•••67'],
    [maskKey, '@ana12', '@a•••'],
  ];
  for (const [mask, text, masked] of shown) assert.equal(mask(text), masked, text);
});

test('of a document the last four are kept, where there is more than them', () => {
  assert.deepEqual(documentEndOf({ ...CUSTOMER, idNumber: '1000000001' }), { documentEnd: '0001' });
  assert.deepEqual(documentEndOf({ ...CUSTOMER, idNumber: '0001' }), {});
  assert.deepEqual(documentEndOf(null), {});
});
