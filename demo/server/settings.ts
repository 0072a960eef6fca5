import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `npm start` tells each of its processes, through the environment. */
export interface DemoSettings {
  readonly dataDir: string;
  /** Address to listen on. */
  readonly host: string;
  readonly sitePort: number;
  readonly backendPort: number;
  readonly sandboxPort: number;
  /** Where the sandbox answers the backend: on this machine only, and without TLS. */
  readonly servicePort: number;
  /** How browsers reach the site and the sandbox. */
  readonly siteUrl: string;
  readonly sandboxUrl: string;
  /** Where the pages to serve were built, or null: then their sources are served. */
  readonly builtPages: string | null;
  /** Writes the kit's log, a line of JSON each, instead of a line for each payment. */
  readonly verbose: boolean;
  /** PEM files, with `--https`. */
  readonly tls: { readonly key: string; readonly cert: string } | null;
}

const NAME = 'PAY_CHECKOUT_DEMO';

export function passSettings(settings: DemoSettings): Record<string, string> {
  return { [NAME]: JSON.stringify(settings) };
}

/** Also ties this process to `npm start`, so that it ends when its parent does. */
export function receiveSettings(): DemoSettings {
  const text = process.env[NAME];
  if (!text) throw new Error('This process is part of the demo: start it with npm start.');
  // A Ctrl-C in a terminal reaches the whole group; the family's head ends each of us once.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  return JSON.parse(text) as DemoSettings;
}

export interface Secrets {
  readonly orderSecret: string;
  readonly webhookSecret: string;
  /** Opens the merchant's console. */
  readonly consoleToken: string;
}

/**
 * Made once, before anything starts, and kept with the data: orders and webhooks survive a restart. What data of an
 * earlier version lacks is added.
 */
export function makeSecrets(dataDir: string): Secrets {
  const fresh = () => randomBytes(32).toString('base64url');
  const made: Secrets = { orderSecret: fresh(), webhookSecret: fresh(), consoleToken: fresh() };
  const secrets = existsSync(join(dataDir, 'secrets.json')) ? { ...made, ...readSecrets(dataDir) } : made;
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

export function readSecrets(dataDir: string): Secrets {
  return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets;
}

/** Tells `npm start` that this process answers, and stops in order when it ends. */
export function announceReady(stop: () => Promise<void>): void {
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    void stop().finally(() => process.exit(0));
  };
  process.removeAllListeners('disconnect');
  process.on('disconnect', end);
  process.on('SIGTERM', end);
  process.send?.('ready');
}
