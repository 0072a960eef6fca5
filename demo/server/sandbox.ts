import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage } from '../../scripts/build/pages.js';
import { pageFiles } from '../../src/node.js';
import { createSandbox, SANDBOX_DEFAULTS } from '../../src/sandbox.js';
import { openPort } from './open-port.js';
import { announceReady, readSecrets, receiveSettings } from './settings.js';

/** The sandbox of the demo. Its state is on disk before each answer, so a kill loses nothing. */
const settings = receiveSettings();
const { webhookSecret } = readSecrets(settings.dataDir);
const file = join(settings.dataDir, 'sandbox.json');

const timings = {
  // A person needs a while to reach the bank's page and decide there.
  documentDelayMs: 60_000,
  // Long enough to be seen, short enough to be waited for.
  lateConfirmationMs: 40_000,
  slowWebhookMs: 20_000,
  reorderWaitMs: 10_000,
};

const controlPage = join(settings.dataDir, 'control');
await buildPage('control', controlPage);

const sandbox = createSandbox({
  timings,
  publicUrl: settings.sandboxUrl,
  merchant: 'Café Andino',
  controlPage: pageFiles('control', controlPage),
  webhooks: [
    {
      url: `http://127.0.0.1:${settings.backendPort}/checkout/webhooks`,
      headerName: SANDBOX_DEFAULTS.webhookHeaderName,
      headerValue: webhookSecret,
    },
  ],
  ...(existsSync(file) ? { snapshot: JSON.parse(readFileSync(file, 'utf8')) as unknown } : {}),
});

let saving = false;
sandbox.engine.subscribe(() => {
  if (saving) return;
  saving = true;
  // Once for all changes of this turn, and still before the answer to the request that made them.
  queueMicrotask(save);
});

function save(): void {
  saving = false;
  writeFileSync(`${file}.next`, JSON.stringify(sandbox.snapshot()));
  renameSync(`${file}.next`, file);
}

const doors = [await openPort({ ...settings, port: settings.sandboxPort, fetch: sandbox.fetch })];
if (settings.servicePort !== settings.sandboxPort) {
  doors.push(
    await openPort({ host: '127.0.0.1', tls: null, port: settings.servicePort, fetch: sandbox.fetch }),
  );
}
announceReady(async () => {
  await Promise.all(doors.map((close) => close()));
  save();
  sandbox.close();
});
