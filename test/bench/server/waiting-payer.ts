import { getRequest, HttpLine } from './http-line.js';
import type { Seeded } from './plan.js';

/** The longest that an answer is held. */
export const WAIT_SECONDS = 25;

/** Asks again whenever the wait is over, as the widget does, until the payment is confirmed. */
export class Payer {
  /** The outcome of the order that the payer waits for, and when the answer came. */
  onNews: (reference: string, at: number) => void = () => {};
  readonly #port: number;
  #line: HttpLine;
  #order: Seeded;
  #left = false;

  private constructor(port: number, line: HttpLine, order: Seeded) {
    this.#port = port;
    this.#line = line;
    this.#order = order;
  }

  /** Reads once, which leaves an idle connection. */
  static async open(port: number, order: Seeded): Promise<Payer> {
    const line = await HttpLine.open(port);
    await line.ask(getRequest(`/payins/${order.id}`));
    return new Payer(port, line, order);
  }

  get reference(): string {
    return this.#order.reference;
  }

  /** The first time perhaps for less than the rest, so that a crowd that comes together does not ask again together. */
  wait(firstSeconds = WAIT_SECONDS): void {
    this.#waitOn(firstSeconds).catch((error: unknown) => {
      if (this.#left) return;
      console.error('A payer was let down and asks again:', errorText(error));
      this.#line.close();
      this.wait();
    });
  }

  waitFor(order: Seeded): void {
    this.#order = order;
    this.wait();
  }

  async #waitOn(firstSeconds: number): Promise<void> {
    let waitSeconds = firstSeconds;
    const { id, reference } = this.#order;
    let { version } = this.#order;
    while (!this.#left) {
      // A server closes connections that were idle for long.
      if (this.#line.closed) this.#line = await HttpLine.open(this.#port);
      const path = `/payins/${id}?after=${version}&wait=${waitSeconds}`;
      const { status, body } = await this.#line.ask(getRequest(path));
      const at = performance.now();
      if (status !== 200) throw new Error(`Waiting was answered ${status}`);
      const answer = JSON.parse(body.toString()) as { status: string; version: string };
      if (answer.status === 'CONFIRMED') return this.onNews(reference, at);
      version = answer.version;
      waitSeconds = WAIT_SECONDS;
    }
  }

  leave(): void {
    this.#left = true;
    this.#line.close();
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
