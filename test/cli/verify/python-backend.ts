import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** full_backend.py, as it is or broken on purpose, many at a time in one process of Python. */

const FAULTS = fileURLToPath(new URL('faults.py', import.meta.url));
const SECRETS = {
  ORDER_SECRET: 'a secret of thirty-two characters or more',
  WEBHOOK_SECRET: 'sandbox-webhook-secret',
  SERVICE_API_KEY: 'sandbox-api-key',
};

export interface PythonBackend {
  readonly origin: string;
  stop(): void;
}

export function startPython() {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-python-'));
  const child = spawn('python3', [FAULTS], { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const waiting: ((url: string) => void)[] = [];
  createInterface(child.stdout).on('line', (line) =>
    waiting.shift()?.((JSON.parse(line) as { url: string }).url),
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const tell = (command: object) => child.stdin.write(`${JSON.stringify(command)}\n`);
  let started = 0;

  return {
    /** What it wrote to its error output so far. */
    complaints: () => complaints,
    /** `shopOrigin`: where its pages are; the backend's own origin when absent. */
    async start(faults: readonly string[], serviceUrl: string, shopOrigin = 'own'): Promise<PythonBackend> {
      const database = join(folder, `${++started}.db`);
      const env = { ...SECRETS, SERVICE_URL: serviceUrl, SHOP_ORIGIN: shopOrigin, DATABASE: database };
      const origin = await new Promise<string>((resolve, reject) => {
        waiting.push(resolve);
        tell({ start: { faults, env } });
        void ended.then(() => reject(new Error(complaints)));
      });
      return { origin, stop: () => tell({ stop: origin }) };
    },
    async close() {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Python = ReturnType<typeof startPython>;

/** What the page would be given for an order. */
export async function pythonToken(order: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(SECRETS.ORDER_SECRET), algorithm, false, [
    'sign',
  ]);
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(order));
  return `${order}.${Buffer.from(signature).toString('hex').slice(0, 32)}`;
}
