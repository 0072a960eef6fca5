import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `npm start` tells each of its processes, through the environment. */
export interface DemoSettings {
  readonly dataDir: string;
  /** Address to listen on. */
  readonly host: string;
  readonly sitePort: number;
  readonly backendPort: number;
  readonly sandboxPort: number;
  /** How browsers reach the site and the sandbox. */
  readonly siteUrl: string;
  readonly sandboxUrl: string;
  /** Serve the built pages instead of the sources. */
  readonly built: boolean;
  /** PEM files, with `--https`. */
  readonly tls: { readonly key: string; readonly cert: string } | null;
}

const NAME = 'PAY_CHECKOUT_DEMO';

export function passSettings(settings: DemoSettings): Record<string, string> {
  return { [NAME]: JSON.stringify(settings) };
}

export function receiveSettings(): DemoSettings {
  const text = process.env[NAME];
  if (!text) throw new Error('This process is part of the demo: start it with npm start.');
  return JSON.parse(text) as DemoSettings;
}

export interface Secrets {
  readonly orderSecret: string;
  readonly webhookSecret: string;
}

/** Made once and kept with the data, so that orders and webhooks survive a restart. */
export function readSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    const fresh = () => randomBytes(32).toString('base64url');
    const secrets: Secrets = { orderSecret: fresh(), webhookSecret: fresh() };
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
}

/** Tells `npm start` that this process answers, and ends it when the terminal does. */
export function announceReady(stop: () => Promise<void>): void {
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    void stop().finally(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // The parent is gone: nobody else would stop this.
  process.on('disconnect', end);
  process.send?.('ready');
}
