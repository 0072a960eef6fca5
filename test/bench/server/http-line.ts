import { connect, type Socket } from 'node:net';

/**
 * One keep-alive connection that does the least a client can do, so that the load costs less than what it loads:
 * requests are ready-made bytes, and of an answer only the length is read.
 */
export class HttpLine {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #answered: ((body: Buffer, status: number) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => {
      this.#closed = true;
      this.#failed?.(new Error('The server hung up'));
    });
  }

  static open(port: number): Promise<HttpLine> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', ...nextSource() }, () => {
        socket.off('error', reject);
        resolve(new HttpLine(socket));
      });
      socket.once('error', reject);
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  ask(request: Buffer): Promise<{ readonly status: number; readonly body: Buffer }> {
    return new Promise((resolve, reject) => {
      this.#answered = (body, status) => resolve({ body, status });
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#closed = true;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return;
    const body = this.#received.subarray(headEnd + 4, end);
    this.#received = this.#received.subarray(end);
    const answered = this.#answered;
    this.#answered = this.#failed = undefined;
    answered?.(body, Number(head.slice(9, 12)));
  }
}

/** Linux lets every address of the loopback network be a source, and each has ports of its own. */
const PORTS_OF_A_SOURCE = 20_000;
let opened = 0;

function nextSource(): { readonly localAddress?: string } {
  const source = 1 + (Math.floor(opened++ / PORTS_OF_A_SOURCE) % 200);
  return process.platform === 'linux' ? { localAddress: `127.0.0.${source}` } : {};
}

export function getRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: shop.test\r\naccept: application/json\r\n\r\n`);
}

export function postRequest(path: string, headers: Readonly<Record<string, string>>, body: string): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\nhost: shop.test\r\n${lines.join('')}`;
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** The value below which a share of all lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
