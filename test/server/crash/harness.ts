import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createSandbox, type Engine } from '../../../src/sandbox.js';
import type { Checkout, Store } from '../../../src/server.js';
import type { Clock } from '../../../src/service.js';
import { bundleProgram } from '../../support/bundles.js';
import { eventsTo } from '../../support/kit.js';
import { aMoment, creation, openCheckout, SHOP, webhook } from './kit.js';
import type { DatabasePlan, Death, Line, Plan } from './plan.js';
import { finishRefund, judgeRefund } from './refunded.js';

/** A database that starts empty for each life, and what is needed to look at it after a death. */
export interface CrashDatabase {
  readonly plan: DatabasePlan;
  /** For the process that takes over. */
  open(): Store;
  /** Lets time pass for leases, which the database measures by its own clock. */
  age(durationMs: number): Promise<void>;
  /** Puts the server back on its feet if the death was its own. */
  revive(): Promise<void>;
}

export interface Life {
  readonly database: CrashDatabase;
  readonly scenario: 'create' | 'webhook' | 'refund';
  readonly death: Death;
  /** Runs the doomed process under another program, which may kill it. */
  readonly wrap?: readonly string[];
  readonly planted?: 'without intent' | 'without reconciling';
}

export interface Verdict {
  /** Whether the process came through, and how many places to die it passed; undefined when it was killed. */
  readonly points: number | undefined;
  /** What went wrong, in words; empty when nothing did. */
  readonly defects: readonly string[];
}

interface Told {
  readonly hook: string;
  readonly key: string;
  readonly reference: string;
}

/** Lives one life to its end and through what comes after, and says what is wrong then. */
export async function live(life: Life): Promise<Verdict> {
  const service = await openService();
  try {
    const { database, scenario } = life;
    const store = database.open();
    try {
      await store.migrate();
      if (scenario !== 'create') await prepare(store, service, scenario === 'refund');
    } finally {
      await store.close();
    }
    const event = service.events.at(-1);
    const lines = await runChild({
      life,
      serviceUrl: service.url,
      act: scenario === 'webhook' ? { kind: 'webhook', body: event ?? '' } : { kind: scenario },
    });
    await database.revive();
    const defects = await takeOver(life, service, lines);
    return { points: lines.find((line) => line.line === 'done')?.points, defects };
  } finally {
    await service.close();
  }
}

/** The payin exists and is paid; its event has not been delivered yet, unless that comes before what is tried. */
async function prepare(store: Store, service: Service, isDelivered: boolean): Promise<void> {
  const checkout = openCheckout({ store, serviceUrl: service.url });
  await checkout.fetch(await creation(checkout));
  await checkout.idle();
  for (const payin of service.engine.payins) service.engine.settle(payin.id, 'CONFIRMED');
  await service.engine.idle();
  if (isDelivered) {
    while (service.events.at(-1)?.includes('payin.confirmed') !== true) await aMoment();
    await checkout.fetch(webhook(service.events.at(-1) ?? ''));
    await checkout.idle();
  }
  await checkout.close();
}

/** A new process on what the dead one left: the payer tries again, time passes, everything at the service is paid. */
async function takeOver(life: Life, service: Service, lines: readonly Line[]): Promise<string[]> {
  const clock = skippingClock();
  const store = life.database.open();
  const checkout = openCheckout({ store, serviceUrl: service.url, clock });
  const shown = new Set<string>();
  const defects: string[] = [];
  const reconcile = async (steps: readonly number[]) => {
    if (life.planted !== 'without reconciling') await letTimePass(life.database, checkout, clock, steps);
  };
  const answer = lines.find((line) => line.line === 'answer');
  if (answer !== undefined) note(shown, answer.text);
  try {
    if (life.scenario === 'create') {
      // The widget asks again with the same key until it has something to show.
      for (let tries = 0; tries < 6; tries++) {
        const response = await checkout.fetch(await creation(checkout));
        note(shown, await response.text());
        await checkout.idle();
        if (response.status === 200 || response.status === 201) break;
        await reconcile(SECONDS);
      }
      if (shown.size === 0) defects.push('stuck: the payer never gets a key');
      if (shown.size > 1) defects.push(`duplicate: the payer was shown ${shown.size} payins for one attempt`);
      // Even those that nobody was shown: the worst that can happen.
      for (const payin of service.engine.payins) service.engine.settle(payin.id, 'CONFIRMED');
    } else if (life.scenario === 'refund') {
      const { engine, events } = service;
      await finishRefund(checkout, { engine, events, pass: () => reconcile(HOURS) });
      defects.push(...(await judgeRefund(checkout, engine, service.told)));
    } else if (answer === undefined || answer.status !== 200) {
      // The service had no 2xx and delivers again.
      const response = await checkout.fetch(webhook(service.events.at(-1) ?? ''));
      if (response.status !== 200) defects.push(`lost: the repeated event is answered ${response.status}`);
      await checkout.idle();
    }
    await reconcile(HOURS);
    defects.push(...(await judge(checkout, service)));
  } finally {
    await checkout.close();
    await store.close();
  }
  return defects;
}

/** What must be true in the end, whatever happened before. */
async function judge(checkout: Checkout, { engine, told }: Service): Promise<string[]> {
  const paid = engine.payins.map((payin) => payin.reference);
  const notices = new Map(told.map((notice) => [notice.key, notice]));
  const about = (hook: string) => [...notices.values()].filter((notice) => notice.hook === hook);
  const defects: string[] = [];
  const settled = about('onConfirmed');
  const duplicates = about('onDuplicatePayment');
  if (settled.length !== 1) defects.push(`lost: ${settled.length} settlements of one paid order`);
  const known = [...settled, ...duplicates].map((notice) => notice.reference);
  for (const reference of paid) {
    const times = known.filter((each) => each === reference).length;
    if (times === 0) defects.push('lost: somebody paid and the merchant was never told');
    if (times > 1) defects.push('duplicate: one payment was told as two');
  }
  if (duplicates.length !== paid.length - 1) {
    defects.push(`duplicate: ${paid.length} payments, ${duplicates.length} told as duplicates`);
  }
  const after = await checkout.fetch(await creation(checkout));
  const body = (await after.json()) as {
    settlement?: { state: string };
    attempt?: { settlement: { state: string } };
  };
  const state = (body.settlement ?? body.attempt?.settlement)?.state;
  if (state !== 'PAID')
    defects.push(`stuck: the payer is told ${String(state)} (${after.status}) after paying`);
  return defects;
}

/** Keys and codes that a payer has seen. */
function note(shown: Set<string>, text: string): void {
  const body = JSON.parse(text) as { sourceData?: { keyString?: string | null } | null };
  if (typeof body.sourceData?.keyString === 'string') shown.add(body.sourceData.keyString);
}

const SECONDS = Array.from({ length: 10 }, () => 1_000);
const HOURS = [
  0, 500, 1_000, 5_000, 15_000, 40_000, 60_000, 300_000, 900_000, 3_600_000, 3_600_000, 3_600_000,
];

export interface SkippingClock extends Clock {
  skip(durationMs: number): void;
}

/** Real time, with leaps. */
export function skippingClock(): SkippingClock {
  let skippedMs = 0;
  return {
    now: () => Date.now() + skippedMs,
    setTimer(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    skip: (durationMs) => void (skippedMs += durationMs),
  };
}

export async function letTimePass(
  database: CrashDatabase,
  checkout: Checkout,
  clock: SkippingClock,
  steps: readonly number[],
): Promise<void> {
  for (const step of steps) {
    clock.skip(step);
    await database.age(step);
    await checkout.tick();
    await checkout.idle();
  }
}

interface Service {
  readonly url: string;
  readonly engine: Engine;
  /** Bodies of the events it sent, oldest first; they arrive only when somebody hands them on. */
  readonly events: readonly string[];
  /** What the merchant was told, each time. */
  readonly told: readonly Told[];
  close(): Promise<void>;
}

/** The sandbox and the merchant, on a port, so that they outlive the process under test. */
async function openService(): Promise<Service> {
  const events: string[] = [];
  const told: Told[] = [];
  const sandbox = createSandbox({
    autoOutcome: 'never',
    webhooks: eventsTo(SHOP),
    async send(request) {
      events.push(await request.text());
      return new Response(null, { status: 200 });
    },
  });
  const server = createServer(
    getRequestListener(async (request) => {
      if (new URL(request.url).pathname !== '/told') return sandbox.fetch(request);
      told.push((await request.json()) as Told);
      return new Response(null, { status: 204 });
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port');
  const url = `http://127.0.0.1:${address.port}`;
  sandbox.engine.publicUrl = url;
  return {
    url,
    engine: sandbox.engine,
    events,
    told,
    close: () =>
      new Promise((resolve) => {
        sandbox.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

let built: Promise<string> | undefined;
/** Built once for all its lives. */
const childProgram = () => (built ??= bundleProgram(new URL('child.ts', import.meta.url)));

/** Runs the doomed process to its end and returns what it said. */
async function runChild({
  life,
  serviceUrl,
  act,
}: {
  life: Life;
  serviceUrl: string;
  act: Plan['act'];
}): Promise<Line[]> {
  const plan: Plan = {
    database: life.database.plan,
    serviceUrl,
    act,
    death: life.death,
    withoutIntent: life.planted === 'without intent',
  };
  const command = [...(life.wrap ?? []), process.execPath, await childProgram(), JSON.stringify(plan)];
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ending) => resolve(ending));
  });
  // Dying is what it is for; stumbling is not.
  const killed = signal === 'SIGKILL' || code === 128 + 9;
  if (code !== 0 && !killed)
    throw new Error(`The process under test failed (${code ?? signal}):\n${complaints}`);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
