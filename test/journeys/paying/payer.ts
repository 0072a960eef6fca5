import type * as agent from './agent.js';
import { PATIENCE_MS } from '../../support/patience.js';
import type { Tab } from './engines.js';

const LOOK_EVERY_MS = 100;

type Agent = typeof agent;
export type Facts = ReturnType<Agent['facts']>;
type Phase = NonNullable<Facts['phase']>;

export type BankDecision = 'approve' | 'reject' | 'pending' | 'cancel';

/** Somebody who pays, in a tab of a real browser. */
export class Payer {
  readonly tab: Tab;
  readonly #agentSource: string;

  /** `agentSource` defines `agent`, an object with the functions of `paying-agent.ts`. */
  constructor(tab: Tab, agentSource: string) {
    this.tab = tab;
    this.#agentSource = agentSource;
  }

  async sees(words: string | RegExp): Promise<void> {
    await this.#until(
      async () => {
        const shown = await this.#ask('text');
        return typeof words === 'string' ? shown.includes(words) : words.test(shown);
      },
      () => `never saw ${String(words)}`,
    );
  }

  async presses(name: string): Promise<void> {
    await this.#until(
      () => this.#ask('press', name),
      () => `nothing to press is called “${name}”`,
    );
  }

  /** Moves by Tab until what has that name has the focus. */
  async tabsTo(name: string): Promise<void> {
    const passed = [await this.#ask('focus')];
    do {
      await this.tab.key('Tab');
      // A driver may answer before the browser has moved on.
      let now = '';
      await this.#until(
        async () => (now = await this.#ask('focus')) !== passed.at(-1),
        () => `Tab stays at “${now}”`,
      );
      passed.push(now);
      if (passed.length > 40) throw new Error(`Tab never reached “${name}”, only ${passed.join(', ')}`);
    } while (!passed.at(-1)!.startsWith(name));
  }

  async types(text: string): Promise<void> {
    for (const letter of text) await this.tab.key(letter);
  }

  /**
   * Waits for the bank's page, and presses one of its buttons or none. A browser may lose the way there (seen once, in
   * WebKit); then the payer takes the one that the page offers. That the page led there at all is heard from itself.
   */
  async atBank(decision: BankDecision | null): Promise<void> {
    await this.#until(
      async () => {
        if (await (decision ? this.#ask('decide', decision) : this.#ask('isBank'))) return true;
        const { phase, heard } = await this.facts();
        if (
          phase === 'pending' &&
          heard.includes('checkout-redirect') &&
          (await this.#ask('press', 'Volver a mi banco'))
        )
          console.log('The browser did not leave for the bank; the payer asked again');
        return false;
      },
      () => 'never came to the bank',
    );
    if (decision) await this.knows((facts) => facts.phase !== null, 'never came back from the bank');
  }

  async fills(label: string, value: string): Promise<void> {
    await this.#until(
      () => this.#ask('fill', label, value),
      () => `no field is called “${label}”`,
    );
  }

  async picks(name: string): Promise<void> {
    await this.#until(
      () => this.#ask('pick', name),
      () => `nothing to pick is called “${name}”`,
    );
  }

  async reaches(...phases: Phase[]): Promise<Facts> {
    return this.knows(
      ({ phase }) => phase !== null && phases.includes(phase),
      `never reached ${phases.join(' or ')}`,
    );
  }

  async knows(holds: (facts: Facts) => boolean, otherwise: string): Promise<Facts> {
    let facts: Facts | undefined;
    await this.#until(
      async () => {
        facts = await this.facts();
        return holds(facts);
      },
      () => otherwise,
    );
    return facts!;
  }

  facts(): Promise<Facts> {
    return this.#ask('facts');
  }

  /** What the page heard, without what it hears at every change. */
  async heard(): Promise<string[]> {
    const { heard } = await this.facts();
    return heard.filter((type) => type !== 'payin-updated');
  }

  /** Turns to this tab. Not every driver can show a window, so the page is told as well. */
  async looks(): Promise<void> {
    await this.tab.look();
    await this.#until(
      () => this.#ask('seen'),
      () => 'the page is gone',
    );
  }

  async device(network: 'online' | 'offline'): Promise<void> {
    await this.#until(
      () => this.#ask('network', network === 'online'),
      () => 'the page is gone',
    );
  }

  async fillsInPse(): Promise<void> {
    await this.presses('PSE');
    await this.presses('Continuar');
    await this.fills('Banco', 'bancolomb');
    await this.picks('Bancolombia');
    await this.fills('Número', '1020304050');
    await this.fills('Nombre completo', 'Persona de Prueba');
    await this.fills('Celular', '300 123 4567');
    await this.fills('Correo electrónico', 'persona@correo.example');
  }

  async #ask<Name extends keyof Agent>(
    name: Name,
    ...given: Parameters<Agent[Name]>
  ): Promise<ReturnType<Agent[Name]>> {
    const call = `agent.${name}(${given.map((value) => JSON.stringify(value)).join()})`;
    return (await this.tab.evaluate(`(() => {${this.#agentSource}; return ${call}})()`)) as ReturnType<
      Agent[Name]
    >;
  }

  async #until(happens: () => Promise<boolean>, otherwise: () => string): Promise<void> {
    const untilMs = Date.now() + PATIENCE_MS;
    let trouble: unknown;
    while (Date.now() < untilMs) {
      try {
        if (await happens()) return;
        trouble = undefined;
      } catch (error) {
        // The page is on its way to another.
        trouble = error;
      }
      // real time: the browser decides when
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    const shown = await this.#ask('text').catch(() => 'nothing');
    const facts = await this.facts().catch(() => null);
    throw new Error(`${otherwise()}; saw: ${shown}; knew: ${JSON.stringify(facts)}`, { cause: trouble });
  }
}
