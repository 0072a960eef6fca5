import type { Messages } from './messages.js';

/** The Spanish of the way to a bank and back. */
export const esBank = {
  preparingTitle: 'Preparando tu pago',
  preparingLead: 'Estamos conectando con tu banco. Tarda unos segundos.',
  stalledTitle: 'Tu banco no responde',
  stalledLead:
    'La entidad financiera no puede ser contactada para iniciar la transacción, por favor seleccione otra o intente más tarde. Aún no se ha cobrado nada.',
  redirectingTitle: (bank) => `Te llevamos a ${bank}`,
  redirectingLead: 'Autoriza el pago allá. Al terminar volverás a esta página.',
  redirectLink: 'Ir a mi banco ahora',
  unsafeAddress: 'La dirección del banco no es segura y no la abrimos. Elige otro medio de pago.',
  verifyingTitle: 'Verificando tu pago',
  verifyingLead: 'Estamos consultando el resultado con tu banco. No pagues otra vez.',
  pendingTitle: 'Tu banco está confirmando el pago',
  pendingLead: 'Puede tardar unos minutos. Puedes cerrar esta página y volver más tarde: no pagues otra vez.',
  pendingPse: ({ reference, phone, email, cus }) => {
    const contact = [
      phone && `comunicarse a nuestras líneas de atención al cliente ${phone}`,
      email && `enviar un correo electrónico a ${email}`,
    ].filter(Boolean);
    return (
      `En este momento su #${reference} presenta un proceso de pago cuya transacción se encuentra PENDIENTE de recibir confirmación por parte de su entidad financiera, por favor espere unos minutos y vuelva a consultar más tarde para verificar si su pago fue confirmado de forma exitosa.` +
      (contact.length
        ? ` Si desea mayor información sobre el estado actual de su operación puede ${contact.join(' o ')}${cus ? ` y preguntar por el estado de la transacción: ${cus}` : ''}.`
        : '')
    );
  },
  pendingCheckDebit: 'Por favor verificar si el débito fue realizado en el banco',
  checkStatus: 'Consultar estado',
  stillPending: 'Sigue pendiente. Volveremos a consultar solos.',
  continueToBank: 'Continuar en mi banco',
  notAuthorised: 'No autoricé el pago',
  pseLocked: (time) =>
    `Hay un pago PSE en curso. Podrás intentar de nuevo a las ${time}, o antes si no lo autorizaste.`,
} satisfies Partial<Messages>;
