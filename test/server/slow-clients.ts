import { once } from 'node:events';
import { request as httpRequest, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PayinAttempt } from '../../src/contract/backend.js';
import type { Checkout } from '../../src/server.js';
import { chanceFrom } from '../support/torture.js';
import { openWorld, SHOP, type World } from './world.js';

/** A server under attack by clients that are slow, stop, never read, hold on or hang up, while somebody pays. */

export interface Served {
  readonly port: number;
  readonly server: Server;
  close(): Promise<void>;
}

export interface Siege {
  readonly clients: number;
  readonly seed: number;
  /** How long what must happen may take. */
  readonly patienceMs: number;
  readonly serve: (checkout: Checkout) => Promise<Served>;
}

export interface Endured {
  readonly faults: readonly string[];
  readonly ends: ReadonlyMap<string, number>;
  /** How long each creation and read of the honest payer took. */
  readonly honestMs: readonly number[];
}

const HONEST_PAYMENTS = 5;
const DRIP_EVERY_MS = 40;
const LARGE_BYTES = 1024 * 1024;
/** The kit takes 16 KiB; Node reads ahead a little. */
const REFUSED_WITHIN_BYTES = LARGE_BYTES / 2;
const MOST_GROWTH_BYTES = 32 * 1024 * 1024;

export async function besiege(siege: Siege): Promise<Endured> {
  const world = await openWorld({
    work: false,
    orders: Object.fromEntries(
      Array.from({ length: HONEST_PAYMENTS + 1 }, (_, index) => [`o${index}`, { amountInCents: 5_000_000 }]),
    ),
    options: {
      methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }],
      // All come from one address here, where nobody could tell them apart.
      rateLimits: {
        createsPerOrder: Infinity,
        createsPerClient: Infinity,
        createsOverall: Infinity,
        offersPerClient: Infinity,
        readsPerAttempt: 1_000_000,
        refusedPerClient: 1_000_000,
      },
    },
  });
  try {
    return await new Attack(world, siege).run();
  } finally {
    await world.close();
  }
}

type Client = () => Promise<string>;

class Attack {
  readonly #world: World;
  readonly #siege: Siege;
  readonly #chance: () => number;
  readonly #sockets = new Set<Socket>();
  /** What the server has read of a connection, until it answered, by the port of the client. */
  readonly #takenBytes = new Map<number | undefined, () => number>();
  readonly #faults: string[] = [];
  readonly #ends = new Map<string, number>();
  readonly #honestMs: number[] = [];
  /** Answers that are held now. */
  #waiting = 0;
  #hangingUp = 0;
  #port = 0;
  #token = '';
  #watched: PayinAttempt | undefined;

  constructor(world: World, siege: Siege) {
    this.#world = world;
    this.#siege = siege;
    this.#chance = chanceFrom(siege.seed);
  }

  async run(): Promise<Endured> {
    const { clients, serve } = this.#siege;
    const [checkout] = this.#world.checkouts;
    if (checkout === undefined) throw new Error('A world has a checkout');
    this.#countWaiting();
    const served = await serve(checkout);
    this.#port = served.port;
    served.server.on('connection', (socket) => {
      this.#takenBytes.set(socket.remotePort, () => socket.bytesRead);
    });
    served.server.on('request', ({ socket }, response) => {
      const { remotePort } = socket;
      response.once('finish', () => {
        const { bytesRead } = socket;
        this.#takenBytes.set(remotePort, () => bytesRead);
      });
    });
    this.#token = await this.#world.token('o0');
    await this.#pay(0);
    const [socketsBefore, heapBefore] = [openSockets(), heapBytes()];

    const kinds = [
      this.#dripHeaders,
      this.#dripBody,
      this.#stopInHeaders,
      this.#stopInBody,
      this.#hold,
      this.#sendTooMuch,
      this.#hangUp,
      this.#neverRead,
    ];
    const attackers = Array.from({ length: clients }, (_, index) => {
      const kind = kinds[index % kinds.length] ?? this.#hold;
      return kind.call(this).then((end) => this.#ends.set(end, (this.#ends.get(end) ?? 0) + 1));
    });
    for (let payment = 1; payment <= HONEST_PAYMENTS; payment++) await this.#pay(payment);
    await Promise.all(attackers);

    for (const socket of this.#sockets) socket.destroy();
    await this.#until('a payer who hung up still waits', () => this.#waiting === 0);
    await this.#until('sockets are left open', () => openSockets() <= socketsBefore);
    const grownBytes = heapBytes() - heapBefore;
    if (grownBytes > MOST_GROWTH_BYTES)
      this.#faults.push(`${grownBytes} bytes of memory were not given back`);
    await this.#close(served);
    return { faults: this.#faults, ends: this.#ends, honestMs: this.#honestMs };
  }

  #countWaiting(): void {
    const { store } = this.#world;
    const subscribe = store.subscribe.bind(store);
    store.subscribe = (...given) => {
      this.#waiting += 1;
      const unsubscribe = subscribe(...given);
      return () => {
        this.#waiting -= 1;
        unsubscribe();
      };
    };
  }

  // The honest payer

  async #pay(payment: number): Promise<void> {
    const startedMs = performance.now();
    const order = await this.#world.token(`o${payment}`);
    const body = { order, callbackUrl: SHOP, rail: 'BRE_B', breb: { keyType: 'SINGLE_USE' } };
    const made = await this.#ask('POST', '/payins', JSON.stringify(body));
    const attempt = made.status < 300 ? (JSON.parse(made.text) as PayinAttempt) : undefined;
    const read = attempt && (await this.#ask('GET', `/payins/${attempt.id}`));
    if (read?.status !== 200) this.#faults.push(`an honest payer got ${made.status} and ${read?.status}`);
    this.#watched ??= attempt;
    this.#honestMs.push(performance.now() - startedMs);
  }

  #ask(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          port: this.#port,
          method,
          path: `/checkout${path}`,
          agent: false,
          headers: {
            origin: SHOP,
            'content-type': 'application/json',
            'idempotency-key': `honest-key-${crypto.randomUUID()}`,
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => (text += chunk));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
          answer.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  // The others. Each says how it ended.

  readonly #dripHeaders: Client = () => this.#drip(this.#line('GET', '/orders/x'), 'x: y'.repeat(1_000));

  readonly #dripBody: Client = () =>
    this.#drip(`${this.#post()}content-length: 9000\r\n\r\n`, '{'.repeat(9_000));

  /** A byte at a time, until the server has had enough. */
  async #drip(start: string, rest: string): Promise<string> {
    const socket = this.#connect();
    socket.write(start);
    let at = 0;
    const dripping = setInterval(() => socket.writable && socket.write(rest.charAt(at++)), DRIP_EVERY_MS);
    const end = await this.#cutOff(socket, 'a client that sends a byte at a time');
    clearInterval(dripping);
    return end;
  }

  readonly #stopInHeaders: Client = () => {
    const socket = this.#connect();
    socket.write(this.#part(this.#line('GET', '/orders/x')));
    return this.#cutOff(socket, 'a client that stopped in its headers');
  };

  readonly #stopInBody: Client = () => {
    const socket = this.#connect();
    socket.write(`${this.#post()}content-length: 500\r\n\r\n${this.#part('{'.repeat(400))}`);
    return this.#cutOff(socket, 'a client that stopped in its body');
  };

  readonly #hold: Client = () => this.#cutOff(this.#connect(), 'a client that sent nothing');

  /** Declared or not: it is refused long before all of it is there. */
  readonly #sendTooMuch: Client = async () => {
    const declared = this.#chance() < 0.5;
    const socket = this.#connect();
    await once(socket, 'connect');
    const { localPort } = socket;
    const chunk = Buffer.alloc(4_096, '{');
    socket.write(
      this.#post() +
        (declared ? `content-length: ${LARGE_BYTES}\r\n\r\n` : 'transfer-encoding: chunked\r\n\r\n'),
    );
    let answer = '';
    socket.on('data', (data: Buffer) => (answer += data.toString('latin1')));
    let sentBytes = 0;
    while (answer === '' && socket.writable && sentBytes < LARGE_BYTES) {
      const piece = declared ? chunk : Buffer.concat([Buffer.from('1000\r\n'), chunk, Buffer.from('\r\n')]);
      await new Promise<void>((resolve) => socket.write(piece, () => setImmediate(resolve)));
      sentBytes += chunk.length;
    }
    if (answer === '' && !socket.destroyed) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    // What was sent beyond that lies in the machine's buffers, or is thrown away.
    const takenBytes = this.#takenBytes.get(localPort)?.() ?? 0;
    if (takenBytes > REFUSED_WITHIN_BYTES) this.#faults.push(`${takenBytes} bytes of a body were taken`);
    const status = /^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 'nothing';
    socket.destroy();
    return `refused with ${status}`;
  };

  /** Waits for news and leaves: the first, third … once an answer is held, the others at any moment of a request. */
  readonly #hangUp: Client = async () => {
    const isPatient = this.#hangingUp++ % 2 === 0;
    const socket = this.#connect();
    const { id = '', version = '' } = this.#watched ?? {};
    socket.write(`${this.#line('GET', `/payins/${id}?after=${version}&wait=25`)}\r\n`);
    if (isPatient) await this.#until('an answer is not held', () => this.#waiting > 0);
    // real time: it leaves at any moment of a real request
    else await new Promise((resolve) => setTimeout(resolve, this.#chance() * 300));
    socket.destroy();
    return 'hung up';
  };

  /** Asks again and again without taking an answer. */
  readonly #neverRead: Client = async () => {
    const socket = this.#connect();
    socket.pause();
    for (let asked = 0; asked < 50; asked++)
      socket.write(`${this.#line('GET', `/orders/${this.#token}`)}\r\n`);
    return 'never read';
  };

  #connect(): Socket {
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => undefined);
    this.#sockets.add(socket);
    return socket;
  }

  #line(method: string, path: string): string {
    return `${method} /checkout${path} HTTP/1.1\r\nhost: shop.test\r\norigin: ${SHOP}\r\n`;
  }

  #post(): string {
    const key = `slow-key-${String(Math.floor(this.#chance() * 1e9)).padStart(12, '0')}`;
    return `${this.#line('POST', '/payins')}content-type: application/json\r\nidempotency-key: ${key}\r\n`;
  }

  #part(text: string): string {
    return text.slice(0, 1 + Math.floor(this.#chance() * (text.length - 1)));
  }

  async #cutOff(socket: Socket, who: string): Promise<string> {
    socket.resume();
    const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
    if (await inTime(closed, this.#siege.patienceMs)) return 'cut off';
    this.#faults.push(`${who} was not cut off`);
    return 'kept';
  }

  /** While some are still in the middle of something. */
  async #close(served: Served): Promise<void> {
    for (const text of ['', this.#line('GET', '/orders/x'), `${this.#post()}content-length: 500\r\n\r\n{`]) {
      const socket = this.#connect();
      await once(socket, 'connect');
      if (text !== '') await new Promise((resolve) => socket.write(text, resolve));
    }
    // Answered after those lines were read.
    await this.#pay(HONEST_PAYMENTS);
    if (
      !(await inTime(
        served.close().then(() => true),
        this.#siege.patienceMs,
      ))
    )
      this.#faults.push('the server could not be closed');
    for (const socket of this.#sockets) socket.destroy();
  }

  async #until(fault: string, holds: () => boolean): Promise<void> {
    const endsMs = performance.now() + this.#siege.patienceMs;
    while (!holds()) {
      if (performance.now() > endsMs) return void this.#faults.push(fault);
      // real time: a real server does not say when it has let go
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function inTime(happening: Promise<boolean>, patienceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  // real time: the patience with a real server
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), patienceMs)));
  try {
    return await Promise.race([happening, late]);
  } finally {
    clearTimeout(timer);
  }
}

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
