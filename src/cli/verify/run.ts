import { type Result, runChecks } from '../checks.js';
import { createProbe, type ProbeSetup } from '../probe.js';
import { ACCESS } from './access.js';
import { ANSWERS } from './answers.js';
import { ATTEMPTS, OTHER_METHODS, PRICE } from './attempts.js';
import { CORS } from './cors.js';
import { CREATING, REFUSING } from './creating.js';
import { PLAYS } from './plays.js';
import { READING } from './reading.js';
import { controlSandbox } from './sandbox-control.js';
import { SERVICE } from './service.js';
import type { Step, Visit, VisitOptions } from './visit.js';
import { WEBHOOK } from './webhook.js';

/**
 * `verify`, step by step. A file of this room holds the steps about one subject; `visit.ts` what they know of each
 * other; `sandbox-control.ts` what is done to the sandbox behind the backend. How steps run and print is in
 * `../checks.ts`.
 */
const STEPS: readonly Step[] = [
  ...CREATING,
  ...SERVICE,
  ...REFUSING,
  ...ATTEMPTS,
  ...READING,
  ...ACCESS,
  ...WEBHOOK,
  ...CORS,
  ...OTHER_METHODS,
  ...PLAYS,
  ...PRICE,
  ...ANSWERS,
];

/** `done` gets each line as soon as it is known. */
export async function verifyBackend(
  options: VisitOptions & ProbeSetup,
  done?: (result: Result) => void,
): Promise<readonly Result[]> {
  const { level, sandbox, shop, raise, pause, fetch, webhook } = options;
  const beside = (backend: string) =>
    createProbe({
      backend,
      ...(pause === undefined ? {} : { pause }),
      ...(fetch === undefined ? {} : { fetch }),
    });
  const control = sandbox === undefined ? undefined : controlSandbox(beside(sandbox));
  const shopProbe = shop === undefined ? undefined : beside(new URL(shop).origin);
  const raiseProbe = raise === undefined ? undefined : beside(new URL(raise).origin);
  const payinsBefore = new Set((await control?.payins())?.map(({ id }) => id));
  const ordersLeft = [...(options.spareOrders ?? [])];
  const probe = createProbe(options);
  const visit: Visit = { ...options, probe, control, shopProbe, raiseProbe, payinsBefore, ordersLeft };
  // Nothing may settle by itself while it is looked at.
  await control?.set('pending', true);
  if (webhook !== undefined) {
    await control?.sendWebhooksTo(
      `${options.backend.replace(/\/$/, '')}/webhooks`,
      webhook.header,
      webhook.secret,
    );
  }
  const steps = STEPS.filter((step) => level === 'full' || step.level === undefined);
  const results = await runChecks(steps, visit, done);
  await control?.set('pending', false);
  return results;
}
