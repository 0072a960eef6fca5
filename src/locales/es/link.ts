/** A link to the hosted page. */
export const esLink = {
  linkTitle: 'Paga en la página segura',
  linkLead: 'Ábrela aquí o compártela. Te avisamos apenas se pague.',
  linkAddress: 'Enlace de pago',
  copyLink: 'Copiar enlace',
  linkCopied: 'Enlace copiado',
  shareLink: 'Compartir',
  linkQrAlt: 'Código QR para abrir la página de pago',
  linkExpiresIn: (time: string) => `El enlace vence en ${time}`,
  linkExpiresSoon: (minutes: number) =>
    minutes === 1 ? 'El enlace vence en 1 minuto' : `El enlace vence en ${minutes} minutos`,
  linkExpiredTitle: 'El enlace venció',
  linkExpiredLead: 'Ya no sirve para pagar. Si no has pagado, crea uno nuevo.',
  newLink: 'Crear otro enlace',
};
