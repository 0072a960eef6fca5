import { words } from './words.js';

/** What a merchant pastes for what the playground shows. */
export interface Shown {
  /** Attributes besides `backend` and `order`, in order; an empty value is a boolean attribute. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** Custom properties, in order. */
  readonly theme: readonly (readonly [name: string, value: string])[];
  readonly customer: Readonly<Record<string, string>> | null;
}

export function htmlToPaste({ attributes, theme, customer }: Shown): string {
  const modal = attributes.some(([name]) => name === 'modal');
  return [
    '<script type="module" src="/pay-checkout/define.js"></script>',
    ...styleOf(theme),
    '',
    ...(modal ? [`<button id="pagar">${words.pay}</button>`] : []),
    ...elementOf(attributes),
    ...scriptOf(modal, customer),
  ].join('\n');
}

function styleOf(theme: Shown['theme']): string[] {
  if (theme.length === 0) return [];
  const lines = theme.map(([name, value]) => `    ${name}: ${value};`);
  return ['<style>', '  pay-checkout {', ...lines, '  }', '</style>'];
}

function elementOf(attributes: Shown['attributes']): string[] {
  const all = [['backend', '/checkout'], ['order', words.token], ...attributes] as const;
  const lines = all.map(([name, value]) => (value === '' ? `  ${name}` : `  ${name}="${escape(value)}"`));
  return ['<pay-checkout', ...lines, '></pay-checkout>'];
}

function scriptOf(modal: boolean, customer: Shown['customer']): string[] {
  const lines = [
    ...(customer ? [`  checkout.customer = ${JSON.stringify(customer)};`] : []),
    ...(modal
      ? ["  document.querySelector('#pagar').addEventListener('click', () => checkout.show());"]
      : []),
  ];
  if (lines.length === 0) return [];
  return [
    '<script type="module">',
    "  const checkout = document.querySelector('pay-checkout');",
    ...lines,
    '</script>',
  ];
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
