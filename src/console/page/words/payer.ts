import type { LinkView } from '../../../contract/merchant/console.js';
import { money, shortMoment } from '../../../look/parts/format.js';
import { WORDS } from './words.js';

/** What payers read of a link, on paper and in a message: Spanish, whatever language the merchant's console speaks. */

interface Offered {
  readonly link: LinkView;
  readonly merchant: string;
  readonly address: string;
}

/** On the poster. */
export function posterWords({ link, merchant }: Omit<Offered, 'address'>) {
  const how = link.rail === null ? 'elige cómo pagar' : `paga con ${WORDS.es.rails[link.rail] ?? link.rail}`;
  return {
    merchant,
    sum: money(link.amountInCents, 'es'),
    how: `Escanea el código con la cámara de tu celular, abre el enlace y ${how}.`,
    qr: WORDS.es.links.qr,
    reference: `Referencia: ${link.reference}`,
    once: onceWords(link),
  };
}

/** A chat with this text to send; WhatsApp asks whom to. */
export function whatsAppAddress({ link, merchant, address }: Offered): string {
  const what = link.concept === null ? '' : ` por ${link.concept}`;
  const text = [
    `Hola. Con este enlace pagas ${money(link.amountInCents, 'es')} a ${merchant}${what}:`,
    address,
    `Referencia: ${link.reference}`,
    onceWords(link),
  ].join('\n');
  // encodeURIComponent throws on half of a surrogate pair.
  return `https://wa.me/?text=${encodeURIComponent(text.replaceAll(/\p{Cs}/gu, ''))}`;
}

function onceWords({ expiresAt }: LinkView): string {
  return `Sirve para un solo pago${expiresAt === null ? '' : `, hasta el ${shortMoment(expiresAt, 'es')}`}`;
}
