/**
 * Prints the element alone: for the length of the print the rest of the page is invisible. By a constructed
 * stylesheet, which a strict policy allows, and a class that is gone afterwards.
 */
export function printReceipt(host: Element): void {
  const sheet = new CSSStyleSheet();
  const name = 'pay-checkout-printing';
  sheet.replaceSync(
    `@media print{body *{visibility:hidden}.${name},.${name} *{visibility:visible}` +
      `.${name}{position:absolute!important;inset:0 0 auto;max-inline-size:none!important}}`,
  );
  const { adoptedStyleSheets } = document;
  document.adoptedStyleSheets = [...adoptedStyleSheets, sheet];
  host.classList.add(name);
  addEventListener(
    'afterprint',
    () => {
      host.classList.remove(name);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    },
    { once: true },
  );
  print();
}
