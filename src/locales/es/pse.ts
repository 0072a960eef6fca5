interface PendingParts {
  readonly reference: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly cus: string | null;
}

/**
 * The form, and the way to the bank and back. The sentences in usted are PSE’s own, which a merchant must show as they
 * are.
 */
export const esPse = {
  detailsTitleBreb: 'Tus datos',
  detailsTitlePse: 'Débito bancario PSE',
  detailsLeadPse: 'Te llevaremos a la página de tu banco para autorizar el pago.',
  personType: 'Tipo de persona',
  individual: 'Persona natural',
  business: 'Persona jurídica',
  bankPlaceholder: 'Busca tu banco',
  banksFound: (count: number) => (count === 1 ? '1 banco' : `${count} bancos`),
  bankNone: (query: string) => `No encontramos «${query}». Revisa el nombre.`,
  banksUnavailable: 'No se pudo obtener la lista de Entidades Financieras, por favor intente más tarde',
  showBanks: 'Ver todos los bancos',
  idTypes: { CO_CC: 'C.C.', CO_CE: 'C.E.', CO_NIT: 'NIT', PASSPORT: 'Pasaporte' },
  idTypeNames: {
    CO_CC: 'Cédula de ciudadanía',
    CO_CE: 'Cédula de extranjería',
    CO_NIT: 'NIT',
    PASSPORT: 'Pasaporte',
  },
  /** Documents that people have and the service does not take. */
  documentHint: 'Este medio no recibe PPT ni tarjeta de identidad (T.I.).',
  businessName: 'Razón social',
  known: (hint: string) => `Usaremos ${hint}`,
  phoneHint: 'Si no es de Colombia, empieza por + y el indicativo',
  /** Before the links to the merchant's policies. */
  dataUse: (merchant: string) => `${merchant} usa estos datos para tu pago, según su`,
  privacyPolicy: 'política de tratamiento de datos',
  terms: 'Términos y condiciones',
  goToBank: 'Ir a mi banco',
  /** Opt-in, with what the payer consents to, and how to take it back. */
  keepDetails: 'Recordar mis datos en este dispositivo',
  keepConsent: (merchant: string) =>
    `Autorizas guardarlos solo aquí, para tu próximo pago a ${merchant}. Puedes borrarlos cuando quieras.`,
  deleteKept: 'Borrar mis datos guardados',
  keptDeleted: 'Borramos tus datos de este dispositivo.',
  fieldErrors: {
    required: 'Completa este campo.',
    bank: 'Elige tu banco de la lista.',
    name: 'Escribe nombre y apellido.',
    CO_CC: 'Escribe solo números, de 3 a 10.',
    CO_CE: 'Escribe de 3 a 12 letras o números.',
    CO_NIT: 'Escribe los 9 números del NIT, con o sin dígito de verificación.',
    nitCheckDigit: 'El dígito de verificación no corresponde. Revisa el NIT.',
    PASSPORT: 'Escribe de 5 a 15 letras o números, sin espacios.',
    phone: 'Escribe un celular de 10 números, por ejemplo 300 123 4567.',
    email: 'Escribe un correo como nombre@correo.com.',
    refused: 'Este dato no fue aceptado. Revísalo.',
  },

  preparingTitle: 'Preparando tu pago',
  preparingLead: 'Estamos conectando con tu banco. Tarda unos segundos.',
  stalledLead:
    'La entidad financiera no puede ser contactada para iniciar la transacción, por favor seleccione otra o intente más tarde. Aún no se ha cobrado nada.',
  redirectingTitle: (bank: string) => `Te llevamos a ${bank}`,
  redirectingLead: 'Autoriza el pago allá. Al terminar volverás a esta página.',
  redirectLink: 'Ir a mi banco ahora',
  verifyingTitle: '¿Terminaste en tu banco?',
  /** The same for a payer who comes back from the hosted page. */
  verifyingTitleLink: '¿Terminaste de pagar?',
  verify: 'Verificar',
  verifyingLead: 'Estamos verificando tu pago. Si ya lo autorizaste, no pagues otra vez.',
  pendingTitle: 'Aún no tenemos respuesta de tu banco',
  pendingLead:
    'Si ya autorizaste el pago, puede tardar unos minutos. Puedes cerrar esta página y volver más tarde: no pagues otra vez.',
  pendingPse: ({ reference, phone, email, cus }: PendingParts) => {
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
  continueToBank: 'Volver a mi banco',
  notAuthorised: 'No autoricé el pago',
  pseLocked: (time: string) =>
    `Hay un pago PSE en curso. Podrás intentar de nuevo a las ${time}, o antes si no lo autorizaste.`,
  lapsedPseTitle: 'El tiempo para pagar venció',
  lapsedPseLead: 'Si autorizaste el pago en tu banco, espera: te avisamos aquí. Si no, intenta de nuevo.',
};
