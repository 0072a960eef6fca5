/** What the demo's pages share. Plain DOM: this is what a page without a framework looks like. */

export function find<Type extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Type {
  const found = within.querySelector<Type>(selector);
  if (!found) throw new Error(`The page has no ${selector}`);
  return found;
}

export function stamp(template: string): HTMLElement {
  const [first] = (find<HTMLTemplateElement>(template).content.cloneNode(true) as DocumentFragment).children;
  return first as HTMLElement;
}

const pesos = new Intl.NumberFormat('es-CO', {
  style: 'currency',
  currency: 'COP',
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
});
const pesosAndCents = new Intl.NumberFormat('es-CO', {
  style: 'currency',
  currency: 'COP',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

export function money(amountInCents: number): string {
  return (amountInCents % 100 === 0 ? pesos : pesosAndCents).format(amountInCents / 100);
}

/** The backend is away, or busy coming back; the same question may be answered in a moment. */
class AwayError extends Error {
  override readonly name = 'AwayError';

  constructor() {
    super('La tienda no responde. Volvemos a intentar en un momento…');
  }
}

interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: unknown;
}

export async function ask<Answer>(path: string, { method = 'GET', body }: Question = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
  }).catch(() => null);
  if (!response || response.status >= 500) throw new AwayError();
  const answer = (await response.json().catch(() => ({}))) as Answer & { message?: string };
  if (!response.ok) throw new Error(answer.message ?? 'Algo no salió bien. Intenta de nuevo.');
  return answer;
}

const RETRY_MS = 1_500;

/** Asks until the backend is there, and says so meanwhile. A refusal is an answer. */
export async function askUntilAnswered<Answer>(path: string): Promise<Answer> {
  for (;;) {
    try {
      const answer = await ask<Answer>(path);
      find('#trouble').hidden = true;
      return answer;
    } catch (error) {
      if (!(error instanceof AwayError)) throw error;
      sayTrouble(error);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

export function sayTrouble(error: unknown): void {
  const trouble = find('#trouble');
  const text = error instanceof Error ? error.message : String(error);
  // Said once: a text that is set again would be read aloud again.
  if (trouble.hidden || trouble.textContent !== text) trouble.textContent = text;
  trouble.hidden = false;
}
