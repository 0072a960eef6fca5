import type { Attempt, Method } from '../contract/backend.js';
import type { Choice, Config, RememberedChoice } from './input.js';

/** A choice that needs nothing from the payer but the choice itself; null when there is something to fill in. */
export function choiceOf(method: Method, { rails, bank }: Config): Choice | null {
  if (method.kind === 'PAYMENT_LINK') {
    // A page that names one rail wants a link of that rail, and one that names a bank wants it preselected.
    const rail = method.rail ?? (rails?.length === 1 ? (rails[0] ?? null) : null);
    return { kind: method.kind, rail, bank: method.bank ?? (rail === 'PSE' ? bank : null) };
  }
  if (method.rail === 'PSE' || method.requires.length > 0) return null;
  return { kind: 'PAYIN', rail: 'BRE_B', keyType: method.keyType };
}

/** The method an attempt or a choice was made with. */
export function methodLike(methods: readonly Method[], made: Attempt | Choice): Method | undefined {
  return methods.find(
    (method) =>
      method.kind === made.kind &&
      (method.kind === 'PAYMENT_LINK' ||
        (method.rail === made.rail &&
          (method.rail === 'PSE' || (keyTypeOf(made) ?? method.keyType) === method.keyType))),
  );
}

/** Whether an attempt is what was chosen, as far as it can be told. */
export function isSame(attempt: Attempt, choice: Choice): boolean {
  if (attempt.kind !== choice.kind) return false;
  if (choice.kind === 'PAYMENT_LINK' || attempt.kind === 'PAYMENT_LINK') return true;
  if (attempt.rail !== choice.rail) return false;
  if (attempt.rail === 'PSE' || choice.rail === 'PSE') return true;
  return (attempt.sourceData?.keyType ?? choice.keyType) === choice.keyType;
}

function keyTypeOf(made: Attempt | Choice) {
  if ('keyType' in made) return made.keyType;
  return 'sourceData' in made && made.rail === 'BRE_B' ? made.sourceData?.keyType : undefined;
}

/** A choice without what is personal, and without what does not identify it. */
export function rememberedOf(choice: Choice): RememberedChoice {
  if (choice.kind === 'PAYMENT_LINK') return { kind: choice.kind };
  if (choice.rail === 'BRE_B') return { kind: choice.kind, rail: choice.rail, keyType: choice.keyType };
  const { kind, rail, bank, personType } = choice;
  return { kind, rail, bank, personType };
}

/** Whether a key remembered for one choice may be sent again with another: only when they are the same. */
export const isRemembered = (remembered: RememberedChoice, choice: Choice): boolean =>
  JSON.stringify(remembered) === JSON.stringify(rememberedOf(choice));
