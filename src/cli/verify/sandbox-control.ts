import * as v from 'valibot';
import { read } from '../../contract/schema.js';
import { CommandError } from '../command.js';
import type { Probe } from '../probe.js';
import { isGood } from '../probe.js';

/** The sandbox behind the backend under test: what it holds, and what is done to its payments. */

const StateSchema = v.object({
  payins: v.array(
    v.object({
      id: v.string(),
      reference: v.string(),
      status: v.string(),
      amountInCents: v.number(),
      callbackUrl: v.nullish(v.string()),
    }),
  ),
  deliveries: v.array(v.object({ id: v.string(), eventId: v.optional(v.string()) })),
});
export type ServicePayin = v.InferOutput<typeof StateSchema>['payins'][number];

export interface SandboxControl {
  readonly probe: Probe;
  payins(): Promise<readonly ServicePayin[]>;
  settle(id: string, outcome: 'CONFIRMED' | 'DECLINED', confirmedAmountInCents?: number): Promise<void>;
  /** Turns a scenario on or off for all payments. */
  set(scenario: string, on: boolean): Promise<void>;
  sendWebhooksTo(url: string, headerName: string, headerValue: string): Promise<void>;
  /** Delivers the latest events once more. */
  repeatEvents(count: number): Promise<void>;
}

export function controlSandbox(probe: Probe): SandboxControl {
  async function ask(path: string, sending?: Parameters<Probe['send']>[1]) {
    const answer = await probe.send(`/_/api/${path}`, sending);
    if (!isGood(answer)) {
      throw new CommandError(
        `The sandbox answered ${answer.status} to ${answer.request}. Is --sandbox its address?`,
      );
    }
    return answer.body;
  }
  async function state() {
    const reading = read(StateSchema, await ask('state'));
    if (!reading.ok) throw new CommandError('--sandbox is not the address of a sandbox of this version.');
    return reading.value;
  }
  return {
    probe,
    payins: async () => (await state()).payins,
    async settle(id, outcome, confirmedAmountInCents) {
      const body = { outcome, ...(confirmedAmountInCents === undefined ? {} : { confirmedAmountInCents }) };
      await ask(`payins/${encodeURIComponent(id)}/settle`, { method: 'POST', body });
    },
    async set(scenario, on) {
      await ask('mishaps', { method: 'POST', body: { scope: 'everywhere', scenario, on } });
    },
    async sendWebhooksTo(url, headerName, headerValue) {
      await ask('webhooks', { method: 'PUT', body: { targets: [{ url, headerName, headerValue }] } });
    },
    async repeatEvents(count) {
      const { deliveries } = await state();
      for (const { id } of deliveries.slice(0, count)) {
        await ask(`deliveries/${encodeURIComponent(id)}/resend`, { method: 'POST', body: {} });
      }
    },
  };
}
