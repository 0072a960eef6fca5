/**
 * What one tab remembers of one order across reloads, or a device of its payer. It is only a hint, so storage that is
 * missing, full or blocked (private windows, refused cookies, frames of other sites) is no error.
 */
export interface Memory<Value> {
  recall(): Value | null;
  /** Null forgets. */
  remember(value: Value | null): void;
  /** Whether this tab remembers the text with another order. */
  isOfAnotherOrder(text: string): boolean;
}

const PREFIX = 'pay-checkout ';

/** `storage` is a function because merely looking at `sessionStorage` throws where storage is blocked. */
export function createMemory<Value>(
  name: string,
  read: (value: unknown) => Value,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): Memory<Value> {
  const key = PREFIX + name;
  return {
    recall() {
      try {
        const kept = storage().getItem(key);
        return kept === null ? null : read(JSON.parse(kept));
      } catch {
        return null;
      }
    },
    remember(value) {
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, JSON.stringify(value));
      } catch {
        // The next visit starts without the hint.
      }
    },
    isOfAnotherOrder(text) {
      try {
        return Object.entries(storage()).some(
          ([other, kept]) => other !== key && other.startsWith(PREFIX) && String(kept).includes(text),
        );
      } catch {
        return false;
      }
    },
  };
}
