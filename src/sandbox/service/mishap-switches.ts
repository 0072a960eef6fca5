import { SCENARIO_NAMES, type ScenarioName } from './scenarios.js';
import type { ResourceRecord } from './state.js';

export interface MishapState {
  readonly everywhere: readonly ScenarioName[];
  /** How many of the next creations each scenario still applies to. */
  readonly armed: { readonly [Name in ScenarioName]?: number | undefined };
}

export type Mishaps = ReturnType<typeof createMishaps>;

/** The switches: which scenario is on for whom. */
export function createMishaps(start: MishapState, changed: () => void) {
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
    state: (): MishapState => ({ everywhere: [...everywhere], armed: Object.fromEntries(armed) }),
    set(name: ScenarioName, on: boolean): void {
      if (on) everywhere.add(name);
      else everywhere.delete(name);
      changed();
    },
    /** The next creations, as many as `value`, each carry the scenario. */
    arm(name: ScenarioName, value: number): void {
      count(name, value);
      changed();
    },
    /** Whether a scenario applies to a record, or, without one, to everything. */
    applies: (name: ScenarioName, record?: ResourceRecord) =>
      everywhere.has(name) || (record?.mishaps.includes(name) ?? false),
    /** Whether a scenario applies to a creation that is about to happen. */
    awaits: (name: ScenarioName) => everywhere.has(name) || armed.has(name),
    /** The same, and uses up one armed creation. */
    use(name: ScenarioName): boolean {
      if (everywhere.has(name)) return true;
      const waiting = armed.get(name);
      if (waiting === undefined) return false;
      count(name, waiting - 1);
      changed();
      return true;
    },
    reset(): void {
      everywhere.clear();
      armed.clear();
      changed();
    },
    /** The scenarios armed for the creation that happens now; each is used up by one. */
    take(): ScenarioName[] {
      const taken = [...armed.keys()];
      for (const [name, value] of [...armed]) count(name, value - 1);
      if (taken.length > 0) changed();
      return taken;
    },
  };
}
