import { listen } from '../../src/node.js';
import type { RunningBrowser, Tab } from './paying/engines.js';
import { type BankDecision, Payer } from './paying/payer.js';
import { atSpeed, EVENTS } from './paying/page.js';
import type { Stage, Visit } from './paying/stage.js';

/** In the simulator the bank is a dialog of the panel: its buttons are there, and going back is closing it. */
class SimulatedPayer extends Payer {
  override async atBank(decision: BankDecision | null): Promise<void> {
    const button = `${PANEL}?.querySelector('dialog[open] button[value=${decision ?? 'approve'}]')`;
    const press = decision ? `setTimeout(() => button.click())` : 'undefined';
    await this.knowsThat(`((button) => Boolean(button) && (${press}, true))(${button})`);
    if (decision) await this.knowsThat(`!${PANEL}?.querySelector('dialog[open]')`);
  }

  async knowsThat(expression: string): Promise<void> {
    let seen = false;
    await this.knows(() => {
      if (!seen)
        void this.tab.evaluate(expression).then(
          (value) => (seen = value === true),
          () => undefined,
        );
      return seen;
    }, `it never came true that ${expression}`);
  }
}

const PANEL = "document.querySelector('pay-checkout-simulator')?.shadowRoot";

/** The same journeys with no backend and no service: all of it is in the page, and this serves only its files. */
export async function openSimulatedStage(
  browser: RunningBrowser,
  files: ReadonlyMap<string, string>,
  agent: string,
): Promise<Stage> {
  const requests: string[] = [];
  let orders = 0;
  let current: Tab | undefined;

  const site = await listen({
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const file = files.get(pathname.slice(1));
      if (file !== undefined) return new Response(file, { headers: { 'content-type': 'text/javascript' } });
      if (pathname === '/created') {
        requests.push('POST /payins');
        return new Response(null, { status: 204 });
      }
      const [, order = '', speed = '1'] = pathname.split('/').slice(1);
      const html = page(order, Number(searchParams.get('speed') ?? speed));
      return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
    },
  });

  const inPage = (statement: string) => {
    void current?.evaluate(`(() => { ${statement}; return true; })()`);
  };
  const payin = (reference: string) =>
    `simulator.sandbox.engine.payins.find((payin) => payin.reference === ${JSON.stringify(reference)}).id`;

  async function opens(url: string): Promise<Payer> {
    const tab = await browser.open();
    current = tab;
    await tab.goto(url);
    const back = async () => {
      await tab.evaluate(`(${PANEL}.querySelector('dialog[open]').close(), true)`);
    };
    return new SimulatedPayer({ ...tab, back }, agent);
  }

  return {
    requests,
    newOrder: async () => `order-${++orders}`,
    opens,
    arrives: async ({ order, speed = 1, tail = '' }: Visit = {}) =>
      opens(`${site.url}/pagar/${order ?? `order-${++orders}`}/${speed}${tail}`),
    decides: (reference, outcome) =>
      inPage(`simulator.sandbox.engine.decide(${payin(reference)}, '${outcome}')`),
    receives: (reference, confirmedAmountInCents) =>
      inPage(
        `simulator.sandbox.engine.settle(${payin(reference)}, 'CONFIRMED', { confirmedAmountInCents: ${confirmedAmountInCents} })`,
      ),
    payins: () => requests.length,
    cuts: () => inPage('simulator.online = false'),
    mends: () => inPage('simulator.online = true'),
    holdsCreates: () => notHere(),
    stopsBackend: () => notHere(),
    startsBackend: () => notHere(),
    passes: (ms) => inPage(`simulator.skip(${ms})`),
    close: () => site.close(),
  };
}

function notHere(): never {
  throw new Error('There is no backend to stop: it is in the page');
}

function page(order: string, speed: number): string {
  return `<!doctype html>
<html lang="es">
  <head>
    <meta charset="utf-8" />
    <title>Pagar</title>
    <script>
      window.heard = [];
      for (const name of ${JSON.stringify(EVENTS)}) {
        document.addEventListener(name, ({ type, resumed }) => heard.push(resumed ? type + ' resumed' : type));
      }
      ${atSpeed(speed)}
    </script>
    <script type="module">
      import '/define.js';
      import { createSimulator } from '/simulator.js';
      window.simulator = createSimulator({
        order: { amountInCents: 5_000_000, description: 'Un pedido' },
        timings: { pseUrlDelayMs: 200 },
        storage: sessionStorage,
      });
      const { createPayin } = simulator;
      simulator.createPayin = async (...given) => {
        await fetch('/created', { method: 'POST' });
        return createPayin(...given);
      };
      document.querySelector('pay-checkout').transport = simulator;
    </script>
  </head>
  <body>
    <pay-checkout order="${order}"></pay-checkout>
  </body>
</html>`;
}
