import { SCENARIO_NAMES, type ScenarioName } from './scenarios.js';
import type { ResourceRecord } from './state.js';

export interface MishapState {
  readonly everywhere: readonly ScenarioName[];
  /** How many of the next creations each scenario still applies to. */
  readonly armed: { readonly [Name in ScenarioName]?: number | undefined };
}

/** The switches: which scenario is on for whom. */
export interface Mishaps {
  state(): MishapState;
  set(name: ScenarioName, on: boolean): void;
  arm(name: ScenarioName, count: number): void;
  /** Whether a scenario applies to a record, or, without one, to everything. */
  applies(name: ScenarioName, record?: ResourceRecord): boolean;
  /** Whether a scenario applies to a creation that is about to happen. */
  awaits(name: ScenarioName): boolean;
  /** The same, and uses up one armed creation. */
  use(name: ScenarioName): boolean;
  /** The scenarios armed for the creation that happens now; each is used up by one. */
  take(): ScenarioName[];
  /** Turns every switch off. */
  reset(): void;
}

export function createMishaps(start: MishapState, changed: () => void): Mishaps {
  const everywhere = new Set(start.everywhere);
  const armed = new Map<ScenarioName, number>(
    SCENARIO_NAMES.flatMap((name) => {
      const count = start.armed[name];
      return count === undefined ? [] : [[name, count] as const];
    }),
  );
  const count = (name: ScenarioName, value: number) => {
    if (value > 0) armed.set(name, value);
    else armed.delete(name);
  };

  return {
    state: () => ({ everywhere: [...everywhere], armed: Object.fromEntries(armed) }),
    set(name, on) {
      if (on) everywhere.add(name);
      else everywhere.delete(name);
      changed();
    },
    arm(name, value) {
      count(name, value);
      changed();
    },
    applies: (name, record) => everywhere.has(name) || (record?.mishaps.includes(name) ?? false),
    awaits: (name) => everywhere.has(name) || armed.has(name),
    use(name) {
      if (everywhere.has(name)) return true;
      const waiting = armed.get(name);
      if (waiting === undefined) return false;
      count(name, waiting - 1);
      changed();
      return true;
    },
    reset() {
      everywhere.clear();
      armed.clear();
      changed();
    },
    take() {
      const taken = [...armed.keys()];
      for (const [name, value] of [...armed]) count(name, value - 1);
      if (taken.length > 0) changed();
      return taken;
    },
  };
}
