/**
 * Runs inside a page with a strict policy: whole journeys, drawn code and modal included. Tells the test around it
 * what the policy refused and how far the payer came.
 */
import { QR_TEXT, breb, keyMethod, offer, paid } from '../../machine/fixtures.js';

export interface PolicyReport {
  readonly violations: readonly string[];
  readonly reached: readonly string[];
  readonly failure: string | null;
}

declare global {
  interface Window {
    /** Set by the test before this page loads. */
    withAnotherLit?: boolean;
    report?: PolicyReport;
  }
}

/** A picture that the policy refuses at the end: its violation shows that the policy is in force. */
const WITNESS = 'https://witness.invalid/';

const violations: string[] = [];
const reached: string[] = [];
const isInForce = new Promise<void>((resolve) => {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
    if (blockedURI.startsWith(new URL(WITNESS).origin)) resolve();
    else violations.push(`${violatedDirective} ${blockedURI} ${sample}`);
  });
});

const failure = await journeys().then(
  () => null,
  (error: unknown) => String(error),
);
// Violations are reported in later tasks, in their order: those of the journeys come before that of the picture.
new Image().src = WITNESS;
await isInForce;
window.report = { violations, reached, failure };

async function journeys(): Promise<void> {
  if (window.parent.withAnotherLit) {
    // Another copy of lit-html by another address: the page's own Lit, which was here first.
    // @ts-expect-error -- an address, not a module that TypeScript knows
    await import('/node_modules/lit-html/development/lit-html.js?another');
  }
  const { Payer, clearPage } = await import('../support/harness.js');
  // The page before this one was in the same tab.
  clearPage();

  const picture = Payer.arrives();
  await picture.press('Pagar con Bre-B');
  await picture.sees('@tienda123');
  await picture.press('Copiar');
  await picture.press('Ampliar');
  await picture.press('Cerrar');
  picture.backend.tell(paid(picture.element.payin!));
  await picture.sees('Pago aprobado');
  reached.push('service picture');
  picture.leaves();

  const drawn = Payer.arrives({ modal: true });
  drawn.backend.offered = offer({ methods: [keyMethod] });
  const { sourceData } = breb();
  drawn.backend.creates = () =>
    breb({ sourceData: { ...sourceData!, keyType: 'SINGLE_USE', qrText: QR_TEXT } });
  drawn.element.show();
  await drawn.press('Pagar con Bre-B');
  await drawn.sees('Ampliar');
  await drawn.until(() => drawn.pictures.length > 0);
  await drawn.press('Guardar QR');
  await drawn.press('Cerrar');
  await drawn.sees('¿Cerrar el pago?');
  reached.push('drawn code in a dialog');
  drawn.leaves();

  const bank = Payer.arrives({ locale: 'en' });
  bank.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
  await bank.press('PSE');
  await bank.press('Continue');
  await bank.reaches('details');
  await bank.fill('Bank', 'bancol');
  await bank.pick('Bancolombia');
  await bank.fill('Full name', 'Ana Gómez');
  await bank.fill('Mobile', '300 123 4567');
  await bank.press('Continue to your bank');
  await bank.hears('checkout-redirect');
  reached.push('bank, in another language');
  bank.leaves();
}
