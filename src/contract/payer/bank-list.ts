import type { Bank } from './banks.js';

/**
 * The banks PSE offers, A to Z. The service has no call for them, so a backend may send a newer list; both are
 * searched the same way. Those that most people have come first, by what was published of 2025: Nequi 25 million users
 * and Nu 4 million clients (their own figures), Bancolombia ahead in Bre-B, Daviplata 17 million users (its own, 2023),
 * Davivienda 17 and Banco de Bogotá 4.6 million Bre-B keys (Infobae, 29 December 2025).
 */
export const PSE_BANKS: readonly Bank[] = [
  { code: 'CO_ACCION_FIDUCIARIA', name: 'Acción Fiduciaria' },
  { code: 'CO_ADDI_CF', name: 'Addi CF' },
  { code: 'CO_ALIANZA_FIDUCIARIA', name: 'Alianza Fiduciaria' },
  { code: 'CO_BAN100', name: 'Ban100', aliases: ['credifinanciera'] },
  { code: 'CO_BANCAMIA', name: 'Bancamía' },
  { code: 'CO_AGRARIO', name: 'Banco Agrario' },
  { code: 'CO_AV_VILLAS', name: 'Banco AV Villas', aliases: ['av villas', 'villas'] },
  { code: 'CO_CAJA_SOCIAL', name: 'Banco Caja Social', aliases: ['bcsc'] },
  { code: 'CO_COOMEVA', name: 'Banco Coomeva', aliases: ['bancoomeva'] },
  { code: 'CO_COOPCENTRAL', name: 'Banco Coopcentral' },
  { code: 'CO_COOPCENTRAL_DIGITAL', name: 'Banco Coopcentral Digital' },
  { code: 'CO_DAVIVIENDA', name: 'Banco Davivienda', first: 4 },
  { code: 'CO_BOGOTA', name: 'Banco de Bogotá', first: 5 },
  { code: 'CO_OCCIDENTE', name: 'Banco de Occidente' },
  { code: 'CO_FALABELLA', name: 'Banco Falabella' },
  { code: 'CO_FINANDINA', name: 'Banco Finandina' },
  { code: 'CO_GNB_SUDAMERIS', name: 'Banco GNB Sudameris' },
  { code: 'CO_JP_MORGAN', name: 'Banco JP Morgan' },
  { code: 'CO_MUNDO_MUJER', name: 'Banco Mundo Mujer' },
  { code: 'CO_PICHINCHA', name: 'Banco Pichincha' },
  { code: 'CO_POPULAR', name: 'Banco Popular' },
  { code: 'CO_SANTANDER', name: 'Banco Santander' },
  { code: 'CO_SERFINANZA', name: 'Banco Serfinanza' },
  { code: 'CO_UNION', name: 'Banco Unión' },
  { code: 'CO_BANCOLOMBIA', name: 'Bancolombia', first: 2 },
  { code: 'CO_BANKA', name: 'Banka', testOnly: true },
  { code: 'CO_BBVA', name: 'BBVA' },
  { code: 'CO_BOLD_CF', name: 'Bold CF' },
  { code: 'CO_CFA', name: 'CFA' },
  { code: 'CO_CITIBANK', name: 'Citibank' },
  { code: 'CO_COINK', name: 'Coink' },
  { code: 'CO_COLTEFINANCIERA', name: 'Coltefinanciera' },
  { code: 'CO_CONFIAR', name: 'Confiar' },
  { code: 'CO_COOFINEP', name: 'Coofinep' },
  { code: 'CO_COTRAFA', name: 'Cotrafa' },
  { code: 'CO_CREZCAMOS', name: 'Crezcamos' },
  { code: 'CO_DALE', name: 'Dale' },
  { code: 'CO_DAVIPLATA', name: 'Daviplata', first: 3 },
  { code: 'CO_DING', name: 'Ding' },
  { code: 'CO_FINANCIERA_JURISCOOP', name: 'Financiera Juriscoop', aliases: ['juriscoop'] },
  { code: 'CO_GLOBAL66', name: 'Global66' },
  { code: 'CO_IRIS', name: 'Iris' },
  { code: 'CO_ITAU', name: 'Itaú' },
  { code: 'CO_JFK', name: 'JFK' },
  { code: 'CO_LULO_BANK', name: 'Lulo Bank' },
  { code: 'CO_MOVII', name: 'MOVii' },
  { code: 'CO_NEQUI', name: 'Nequi', first: 1 },
  { code: 'CO_NU', name: 'Nu', first: 6, aliases: ['nubank', 'nu bank'] },
  { code: 'CO_PAYCASH', name: 'PayCash' },
  { code: 'CO_POWWI', name: 'Powwi' },
  { code: 'CO_RAPPIPAY', name: 'RappiPay' },
  { code: 'CO_SANTANDER_CONSUMER', name: 'Santander Consumer' },
  { code: 'CO_SCOTIABANK_COLPATRIA', name: 'Scotiabank Colpatria', aliases: ['colpatria'] },
  { code: 'CO_SUPERDIGITAL', name: 'Superdigital' },
  { code: 'CO_UALA', name: 'Ualá' },
];

/** A bank as payers know it; a code that is not in the list is shown as it is. */
export function bankName(code: string): string {
  return PSE_BANKS.find((bank) => bank.code === code)?.name ?? code;
}
