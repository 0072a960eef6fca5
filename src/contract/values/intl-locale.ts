const HOME = 'es-CO';

/**
 * The tag to give to `Intl` for a page's language. All Spanish becomes Colombian, because money and dates
 * here are Colombian (plain `es` writes "1234,00 COP"). A `lang` attribute may hold anything, and `Intl`
 * throws on a malformed tag, so what it does not know reads as Colombian Spanish too.
 */
export function intlLocale(language: string): string {
  if (/^es\b/i.test(language)) return HOME;
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? HOME;
  } catch {
    return HOME;
  }
}
