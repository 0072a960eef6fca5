import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { createSandbox, manualClock, type ManualClock, type Sandbox } from '../../src/sandbox.js';
import {
  verifyWebhook,
  WebhookError,
  type ServiceClient,
  type ServiceClientOptions,
  type ServiceEvent,
} from '../../src/service.js';
import { eventsTo, sandboxClient, WEBHOOK } from '../support/kit.js';

/** A sandbox, a client of it, and a merchant's webhook address: all in one process, or all over TCP. */
export interface World {
  readonly sandbox: Sandbox;
  /** Time at the sandbox. */
  readonly clock: ManualClock;
  /** Time at the clients, which does not pass unless told to. */
  readonly clientClock: ManualClock;
  connect(options?: Partial<ServiceClientOptions>): ServiceClient;
  /** What arrived at the webhook address and was accepted, in order. */
  readonly events: readonly ServiceEvent[];
  /** What arrived and was not. */
  readonly refusals: readonly WebhookError[];
  advance(durationMs: number): Promise<void>;
}

export const TRANSPORTS = ['in process', 'over TCP'] as const;
export type Transport = (typeof TRANSPORTS)[number];

type Handler = (request: Request) => Promise<Response>;

/** Makes a handler reachable: as it is, or behind a port of this machine. */
async function expose(transport: Transport, handler: Handler) {
  if (transport === 'in process') {
    return { url: 'https://sandbox.localhost', send: handler, close: () => Promise.resolve() };
  }
  const server = serve({ fetch: handler, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    send: (request: Request) => fetch(request),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

export async function inWorld(transport: Transport, run: (world: World) => Promise<void>): Promise<void> {
  const events: ServiceEvent[] = [];
  const refusals: WebhookError[] = [];
  const merchant = await expose(transport, async (request) => {
    try {
      events.push(await verifyWebhook(request, WEBHOOK));
      return new Response(null, { status: 200 });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      refusals.push(error);
      return new Response(null, { status: error.status });
    }
  });
  const clock = manualClock();
  const clientClock = manualClock();
  const sandbox = createSandbox({
    clock,
    seed: 7,
    autoOutcome: 'never',
    webhooks: eventsTo(merchant.url),
    send: merchant.send,
  });
  const service = await expose(transport, (request) => sandbox.fetch(request));
  try {
    await run({
      sandbox,
      clock,
      clientClock,
      events,
      refusals,
      connect: (options) =>
        sandboxClient({
          baseUrl: service.url,
          fetch: service.send,
          clock: clientClock,
          random: () => 0,
          ...options,
        }),
      advance: (durationMs) => clock.advance(durationMs, () => sandbox.engine.idle()),
    });
  } finally {
    sandbox.close();
    await Promise.all([service.close(), merchant.close()]);
  }
}

/** Resolves at the sandbox's next change of this kind. */
export function nextChange({ sandbox }: World, kind: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = sandbox.engine.subscribe((change) => {
      if (change.kind !== kind) return;
      stop();
      resolve();
    });
  });
}
