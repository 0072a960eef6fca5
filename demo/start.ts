import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCertificate } from './server/certificate.js';
import { claimData, emptyData } from './server/data-folder.js';
import { preparePostgres } from './server/database.js';
import { Family } from './server/family.js';
import { firstFreePort } from './server/free-port.js';
import { lanAddress } from './server/lan-address.js';
import { type DemoSettings, makeSecrets, passSettings } from './server/settings.js';
import { welcome } from './server/welcome.js';

/** `npm start`: a shop that sells, its backend, and a payment service to pay at, in one command. */

const HELP = `npm start [-- flags]: a shop, its backend and a payment service to try it with, on this machine

  --reset      forgets all orders and payments first
  --lan        lets phones of the same network in
  --https      with a certificate made here (the browser warns once); without it a phone has neither
               clipboard nor sharing
  --built      serves the pages that npm run build made, instead of their sources
  --pages DIR  where those pages are (dist-demo)
  --port N     the first port to try (4000)
  --data DIR   where the data is (.data)
  --verbose    writes the backend's log, in JSON, instead of a line per payment

With DATABASE_URL, orders are in that PostgreSQL and not in a file.
`;

/** Where the sandbox goes, counted from the pages' port. */
const SANDBOX_OFFSET = 10;

try {
  const flags = readFlags();
  if (flags) await start(flags);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function start(flags: Flags): Promise<void> {
  const dataDir = resolve(flags.data);
  if (!claimData(dataDir))
    throw new Error(
      `Another demo is open with the data of ${dataDir}. Close it, or open this one with --data other-folder.`,
    );
  if (flags.reset) emptyData(dataDir);
  const { consoleToken } = makeSecrets(dataDir);
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl) await preparePostgres(databaseUrl, flags);

  const settings = await settle(flags, dataDir);
  const family = new Family(passSettings(settings), say);
  say('Opening the shop…');
  try {
    await family.raise({
      'payment service': new URL('./server/sandbox.ts', import.meta.url),
      'merchant backend': new URL('./server/backend.ts', import.meta.url),
      pages: new URL('./server/site.ts', import.meta.url),
    });
  } catch (error) {
    say(`\n${error instanceof Error ? error.message : String(error)} It says why above.`);
    await family.end(1);
  }
  process.stdout.write(welcome(settings, { ...flags, consoleToken }));
}

async function settle(flags: Flags, dataDir: string): Promise<DemoSettings> {
  const name = flags.lan ? lanAddress() : 'localhost';
  if (name === undefined) throw new Error('This machine is on no network: --lan is of no use here.');
  const scheme = flags.https ? 'https' : 'http';
  const sitePort = await firstFreePort(flags.port);
  const backendPort = await firstFreePort(sitePort + 1);
  const sandboxPort = await firstFreePort(Math.max(sitePort + SANDBOX_OFFSET, backendPort + 1));
  return {
    dataDir,
    host: flags.lan ? '0.0.0.0' : '127.0.0.1',
    sitePort,
    backendPort,
    sandboxPort,
    servicePort: flags.https ? await firstFreePort(sandboxPort + 1) : sandboxPort,
    siteUrl: `${scheme}://${name}:${sitePort}`,
    sandboxUrl: `${scheme}://${name}:${sandboxPort}`,
    verbose: flags.verbose,
    builtPages: flags.built ? resolve(flags.pages) : null,
    tls: flags.https ? await makeCertificate(dataDir, name) : null,
  };
}

interface Flags {
  readonly reset: boolean;
  readonly lan: boolean;
  readonly https: boolean;
  readonly built: boolean;
  readonly pages: string;
  readonly port: number;
  readonly data: string;
  readonly verbose: boolean;
}

/** Undefined when only help was asked for. */
function readFlags(): Flags | undefined {
  try {
    const { values } = parseArgs({
      options: {
        reset: { type: 'boolean', default: false },
        lan: { type: 'boolean', default: false },
        https: { type: 'boolean', default: false },
        built: { type: 'boolean', default: false },
        pages: { type: 'string', default: 'dist-demo' },
        port: { type: 'string', default: '4000' },
        data: { type: 'string', default: '.data' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(HELP);
      return undefined;
    }
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > 65_000)
      throw new Error(`--port ${values.port}: a port is a number from 1 to 65000.`);
    return { ...values, port };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`, { cause: error });
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
