import { isScenarioName, SCENARIO_NAMES, type ScenarioName } from '../../src/sandbox.js';

const OUTCOMES = ['CONFIRMED', 'DECLINED', 'CANCELED'] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface Control {
  /** What goes wrong with the next payment, or null for nothing. */
  readonly prepare: (scenario: ScenarioName | null) => Promise<void>;
  /** What the payer's bank says of an open payin, mishaps included; false when there is none with that reference. */
  readonly decide: (reference: string, outcome: Outcome) => Promise<boolean>;
}

/** The sandbox's control API, which answers programs on this machine and no other site's pages. */
export function sandboxControl(serviceUrl: string): Control {
  const post = async (path: string, body: unknown): Promise<Response> =>
    fetch(`${serviceUrl}/_/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  return {
    async prepare(scenario) {
      for (const name of SCENARIO_NAMES) {
        const count = name === scenario ? 1 : 0;
        const { ok } = await post('mishaps', { scope: 'next', scenario: name, count });
        if (!ok) throw new Error(`The sandbox refused to prepare ${name}`);
      }
    },
    async decide(reference, outcome) {
      const response = await fetch(`${serviceUrl}/_/api/state`);
      const { payins } = (await response.json()) as {
        payins: readonly { id: string; reference: string; status: string }[];
      };
      const payin = payins.find((candidate) => candidate.reference === reference);
      if (!payin) return false;
      return (await post(`payins/${payin.id}/decide`, { outcome })).ok;
    },
  };
}

export function readScenario(body: unknown): { scenario: ScenarioName | null } | null {
  const { scenario } = Object(body) as { scenario?: unknown };
  if (scenario === null) return { scenario };
  return typeof scenario === 'string' && isScenarioName(scenario) ? { scenario } : null;
}

export function readDecision(body: unknown): { reference: string; outcome: Outcome } | null {
  const { reference, outcome } = Object(body) as { reference?: unknown; outcome?: unknown };
  const known = OUTCOMES.find((candidate) => candidate === outcome);
  return typeof reference === 'string' && known ? { reference, outcome: known } : null;
}
