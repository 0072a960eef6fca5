import type { ControlView } from '../api/control-view.js';
import type { ScenarioName } from '../service/scenarios.js';

/** How the control page asks the control API. Addresses are relative: a proxy may serve it under a path of its own. */

export type Scenarios = Readonly<Record<ScenarioName, Readonly<Record<'es' | 'en', string>>>>;

/** The sandbox answered and did nothing. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: string;

  constructor(code: string) {
    super(`The sandbox answers ${code}`);
    this.code = code;
  }
}

export function readView(search: string): Promise<ControlView> {
  return ask(`api/view${search}`);
}

export async function readRevision(section: string): Promise<string> {
  const { revision } = await ask<{ revision: string }>(`revision?section=${section}`);
  return revision;
}

export function readScenarios(): Promise<Scenarios> {
  return ask('api/scenarios');
}

export function send<Answer = unknown>(
  path: string,
  body: object = {},
  method: 'POST' | 'PUT' = 'POST',
): Promise<Answer> {
  return ask(`api/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function ask<Answer>(address: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(address, { cache: 'no-store', ...init });
  const answer = (await response.json()) as Answer & { code?: string };
  if (!response.ok) throw new RefusedError(answer.code ?? 'unknown');
  return answer;
}
