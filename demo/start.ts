import { rmSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { makeCertificate } from './server/certificate.js';
import { firstFreePort } from './server/free-port.js';
import { Family } from './server/family.js';
import { type DemoSettings, passSettings } from './server/settings.js';

/** `npm start`: a shop that sells, its backend, and a payment service to pay at, in one command. */

const HELP = `npm start [-- flags]: a shop, its backend and a sandbox of the payment service, on this machine

  --reset      forget every order and payment first
  --lan        let phones on the same network in
  --https      serve with a certificate made here (browsers warn once); phones need it for copy and share
  --built      serve the pages that npm run build made, instead of their sources
  --port N     first port to try for the pages (4000)
  --data DIR   where the data lives (.data)

With DATABASE_URL set, orders live in that PostgreSQL instead of a file.
`;

const { values: flags } = readFlags();
if (flags.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const dataDir = join(process.cwd(), flags.data);
if (flags.reset) rmSync(dataDir, { recursive: true, force: true });

const host = flags.lan ? '0.0.0.0' : '127.0.0.1';
const name = flags.lan ? lanAddress() : 'localhost';
const scheme = flags.https ? 'https' : 'http';
const sitePort = await firstFreePort(host, Number(flags.port));
const backendPort = await firstFreePort('127.0.0.1', sitePort + 1);
const sandboxPort = await firstFreePort(host, Math.max(sitePort + 10, backendPort + 1));
const settings: DemoSettings = {
  dataDir,
  host,
  sitePort,
  backendPort,
  sandboxPort,
  siteUrl: `${scheme}://${name}:${sitePort}`,
  sandboxUrl: `${scheme}://${name}:${sandboxPort}`,
  built: flags.built,
  tls: flags.https ? await makeCertificate(dataDir, name) : null,
};

const family = new Family(passSettings(settings), say);
say('Abriendo la tienda…');
await family.raise({
  'servicio de pagos': new URL('./server/sandbox.ts', import.meta.url),
  'backend del comercio': new URL('./server/backend.ts', import.meta.url),
  páginas: new URL('./server/site.ts', import.meta.url),
});
process.stdout.write(welcome(settings));

function readFlags() {
  try {
    return parseArgs({
      options: {
        reset: { type: 'boolean', default: false },
        lan: { type: 'boolean', default: false },
        https: { type: 'boolean', default: false },
        built: { type: 'boolean', default: false },
        port: { type: 'string', default: '4000' },
        data: { type: 'string', default: '.data' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exit(2);
  }
}

/** How others on the network reach this machine. */
function lanAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family: kind, internal }) => kind === 'IPv4' && !internal)?.address ?? 'localhost';
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function welcome({ siteUrl, sandboxUrl, sitePort: port }: DemoSettings): string {
  const bold = (text: string) => (process.stdout.isTTY ? styleText('bold', text) : text);
  const line = (label: string, url: string, what: string) =>
    `  ${label.padEnd(12)} ${bold(url)}\n${' '.repeat(15)}${what}\n`;
  const moved =
    port === Number(flags.port) ? '' : `\nEl puerto ${flags.port} estaba ocupado; se usó ${port}.\n`;
  return `
${bold('Listo.')} Abre:

${line('Todo', `${siteUrl}/`, 'el índice de esta demostración')}
${line('Tienda', `${siteUrl}/shop/`, 'compra algo y págalo')}
${line('Sandbox', `${sandboxUrl}/_/`, 'el servicio de pagos: mira llegar tus pagos, apruébalos, provoca percances')}
${line('Playground', `${siteUrl}/playground/`, 'cambia atributos, idioma, colores y escenario')}
${line('Galería', `${siteUrl}/gallery/`, 'todas las pantallas del componente')}
${bold('Prueba')}
  1. Compra un café con QR Bre-B. En el sandbox, abre el cobro y confírmalo: la tienda se entera sola.
  2. Compra con PSE y documento 1000000001: se aprueba en el banco de pruebas.
  3. En el sandbox, enciende «webhooks-lost» en Percances y paga otra vez: igual se entera.
  4. Mata un proceso (kill): vuelve solo y nada se pierde.
${moved}${flags.lan ? `\nDesde un celular en la misma red: ${siteUrl}/${flags.https ? '' : '\nSin HTTPS el celular no deja copiar ni compartir; agrega --https.'}\n` : ''}
Ctrl-C lo apaga todo. npm start -- --help muestra las opciones.
`;
}
