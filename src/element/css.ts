/** Styles as text, with the text of other styles inside. */
export function css(texts: TemplateStringsArray, ...others: readonly string[]): string {
  return texts.reduce((all, text, index) => all + (others[index - 1] ?? '') + text);
}

const sheets = new Map<string, CSSStyleSheet>();

/** The one sheet of a text, shared by all elements that use it. */
export function sheetOf(text: string): CSSStyleSheet {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheets.set(text, (sheet = new CSSStyleSheet()));
    sheet.replaceSync(text);
  }
  return sheet;
}
