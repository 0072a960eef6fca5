import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../../src/node.js';
import { createSandbox, SANDBOX_DEFAULTS } from '../../../src/sandbox.js';

/** A backend of docs/examples as it is published, in a process of its own, in front of a sandbox. */

const ENV = {
  ORDER_SECRET: 'a secret of thirty-two characters or more',
  WEBHOOK_SECRET: SANDBOX_DEFAULTS.webhookHeaderValue,
  SERVICE_API_KEY: SANDBOX_DEFAULTS.apiKey,
};

export interface Example {
  /** The program and its arguments, for an address to listen on. */
  readonly serve: (host: string, port: string) => readonly [string, ...string[]];
  /** The program and its arguments for anything else, such as `token A-1`. */
  readonly run: readonly [string, ...string[]];
  /** What it writes once it listens. */
  readonly started: string;
}

export async function startExample(
  { serve, run, started }: Example,
  settings: Readonly<Record<string, string>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-example-'));
  const sandbox = createSandbox({ autoOutcome: 'never' });
  const service = await listen(sandbox);
  sandbox.engine.publicUrl = service.url;
  const origin = await freeOrigin();
  const { hostname, port } = new URL(origin);
  const env = {
    ...process.env,
    ...ENV,
    SERVICE_URL: service.url,
    SHOP_ORIGIN: origin,
    PORT: port,
    DATABASE: join(folder, 'checkout.db'),
    // PHP's own server answers one request at a time without it.
    PHP_CLI_SERVER_WORKERS: '4',
    ...settings,
  };
  const [program, ...args] = serve(hostname, port);
  // A group of its own, because PHP's workers do not end with it.
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  const isUp = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes(started)) resolve();
      });
    }
  });
  await Promise.race([isUp, once(child, 'exit').then(() => Promise.reject(new Error(output)))]);
  sandbox.engine.setWebhooks([
    {
      url: `${origin}/checkout/webhooks`,
      headerName: SANDBOX_DEFAULTS.webhookHeaderName,
      headerValue: ENV.WEBHOOK_SECRET,
    },
  ]);
  /** How often its output says so of an order, in the background or by `command`. */
  let commands = '';
  const said = (text: string) => (output + commands).split(text).length - 1;
  const shop = await listen({
    fetch(request) {
      const order = new URL(request.url).pathname.slice(1).split('.')[0] ?? '';
      return Response.json({
        shipped: said(`${order} is paid: ship it`),
        review: said(`${order} needs a person:`),
      });
    },
  });

  return {
    origin,
    backend: `${origin}/checkout`,
    sandbox,
    sandboxUrl: service.url,
    shopUrl: `${shop.url}/{order}`,
    env,
    output: () => output,
    said,
    /** Never synchronously: the sandbox that it may call lives in this process. */
    async command(...words: string[]) {
      const result = await ended(spawn(run[0], [...run.slice(1), ...words], { env }));
      commands += result.output;
      return result;
    },
    async close() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await shop.close();
      await service.close();
      sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type RunningExample = Awaited<ReturnType<typeof startExample>>;

async function ended(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

async function freeOrigin(): Promise<string> {
  const free = await listen({ fetch: () => new Response() });
  await free.close();
  return free.url;
}
