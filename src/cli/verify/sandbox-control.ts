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
  deliveries: v.array(
    v.object({
      id: v.string(),
      state: v.string(),
      attempts: v.array(v.unknown()),
      nextAttemptAtMs: v.nullable(v.number()),
    }),
  ),
  nowMs: v.number(),
});
type State = v.InferOutput<typeof StateSchema>;
export type ServicePayin = State['payins'][number];

export interface SandboxControl {
  readonly probe: Probe;
  payins(): Promise<readonly ServicePayin[]>;
  /** Decides a payment. Its event, where one is sent, has been answered by then. */
  settle(id: string, outcome: 'CONFIRMED' | 'DECLINED', confirmedAmountInCents?: number): Promise<void>;
  /** Turns a scenario on or off for all payments. */
  set(scenario: string, on: boolean): Promise<void>;
  sendWebhooksTo(url: string, headerName: string, headerValue: string): Promise<void>;
  /** Delivers the latest events once more, until they are answered. */
  repeatEvents(count: number): Promise<void>;
  /** Waits until no event is on its way: what the backend does next, it does by itself. */
  untilAnswered(): Promise<void>;
}

/** Sent or about to be sent for the first time, or again by now. One that was refused and waits for its next turn is not. */
const isOnItsWay =
  (nowMs: number) =>
  ({ state, attempts, nextAttemptAtMs }: State['deliveries'][number]): boolean =>
    state === 'WAITING' && (attempts.length === 0 || (nextAttemptAtMs ?? 0) <= nowMs);

const LOOK_EVERY_MS = 100;

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
  async function untilAnswered() {
    for (;;) {
      const { deliveries, nowMs } = await state();
      if (!deliveries.some(isOnItsWay(nowMs))) return;
      await probe.pause(LOOK_EVERY_MS);
    }
  }
  return {
    probe,
    untilAnswered,
    payins: async () => (await state()).payins,
    async settle(id, outcome, confirmedAmountInCents) {
      const body = { outcome, ...(confirmedAmountInCents === undefined ? {} : { confirmedAmountInCents }) };
      await ask(`payins/${encodeURIComponent(id)}/settle`, { method: 'POST', body });
      await untilAnswered();
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
      await untilAnswered();
    },
  };
}
