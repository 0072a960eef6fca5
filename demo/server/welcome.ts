import { styleText } from 'node:util';
import type { DemoSettings } from './settings.js';

interface Asked {
  readonly port: number;
  readonly lan: boolean;
  readonly https: boolean;
  readonly consoleToken: string;
}

/** What the terminal says once all is open: what to open, and what to try. */
export function welcome({ siteUrl, sandboxUrl, sitePort }: DemoSettings, asked: Asked): string {
  const bold = (text: string) => (process.stdout.isTTY ? styleText('bold', text) : text);
  const line = (label: string, url: string, what: string) =>
    `  ${label.padEnd(12)} ${bold(url)}\n${' '.repeat(15)}${what}\n`;
  const notes = [
    sitePort !== asked.port && `Port ${asked.port} was taken; the pages are at ${sitePort}.`,
    asked.lan && `From a phone on the same network: ${siteUrl}/`,
    asked.lan &&
      !asked.https &&
      'Without HTTPS a browser gives neither clipboard nor sharing; add --https to have them.',
    asked.https && "The certificate is this machine's own: the browser warns once. Accept it and go on.",
  ].filter((note) => typeof note === 'string');
  return `
${bold('Ready.')} Open:

${line('Everything', `${siteUrl}/`, 'the contents of this demonstration')}
${line('Shop', `${siteUrl}/shop/`, 'buy something and pay for it')}
${line('Sandbox', `${sandboxUrl}/_/`, 'the payment service: see your payments arrive, approve them, cause mishaps')}
${line('Console', `${siteUrl}/console/#entrada=${asked.consoleToken}`, "the merchant's side: sales, what needs a person, links, refunds and payouts")}
${line('Playground', `${siteUrl}/playground/`, 'change attributes, language, colours and scenario')}
${line('Gallery', `${siteUrl}/gallery/`, 'every screen of the component')}
${bold('Try')}
  1. Buy a coffee with a Bre-B QR. In the sandbox, open the payment and confirm it: the shop notices by itself.
  2. Buy with PSE and document 1000000001: approve it at the test bank.
  3. In the sandbox, switch on the mishap "webhooks-lost" and pay again: the shop still notices.
  4. Kill a process (kill -9 and its number, above): it starts again and nothing is lost.
${notes.map((note) => `\n${note}`).join('')}${notes.length > 0 ? '\n' : ''}
Ctrl-C ends it all. npm start -- --help lists the flags.
`;
}
