/**
 * A text as a cell of a CSV file. It is quoted as RFC 4180 says, for commas and semicolons alike, since readers split by
 * either. Spreadsheets run what looks like a formula: an apostrophe before it makes it text, also after a separator
 * inside the text, for readers that do not heed quotes.
 */
export function csvText(value: string): string {
  const led = /^[\t\r]/.test(value) ? `'${value}` : value;
  const harmless = led.replace(/(^ *|[,;|"\t\r\n] *)(?=[=+@-])/g, "$1'");
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
