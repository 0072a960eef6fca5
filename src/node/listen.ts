import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';

/** Whatever answers requests: a checkout, or an app around it. */
export interface Fetches {
  fetch(request: Request, env?: unknown): Promise<Response> | Response;
}

export interface ListenOptions {
  /** Any free port when absent. */
  readonly port?: number;
  /** This machine only when absent; `0.0.0.0` where others must reach it. */
  readonly hostname?: string;
  /** How long a client may take to send its headers. */
  readonly headersTimeoutMs?: number;
  /** How long a client may take to send the whole request. Answers that are held open do not count. */
  readonly requestTimeoutMs?: number;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /**
   * Takes no more requests, lets the running ones end within the time of a request, and closes the rest. Close the
   * checkout first.
   */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** Longer than a widget pauses between two requests, so that a payer keeps one connection. */
const KEEP_ALIVE_MS = 30_000;
/** How often Node looks for connections that have taken too long. */
const CHECK_EVERY_MS = 2_000;
const MAX_HEADER_BYTES = 16_384;

export async function listen(app: Fetches, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, hostname = '127.0.0.1', requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const server = createServer(
    {
      headersTimeout: Math.min(options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    // The process is ours alone, so the adapter may put its quicker Request and Response in the global ones' place.
    handler(app, true),
  );
  // Browsers connect ahead of time. Node takes such a connection for a busy one, and would wait for it at the end.
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    server,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
      // Node no longer looks for slow clients once it closes: one that stops in the middle would be waited for for ever.
      const slow = setTimeout(() => server.closeAllConnections(), requestTimeoutMs);
      await closed;
      clearTimeout(slow);
    },
  };
}

/**
 * For a server that somebody else runs: `createServer(toNodeHandler(checkout))`, or mounted in Express before any
 * body parser. A client that hangs up is noticed, and what waited for it is let go.
 */
export function toNodeHandler(app: Fetches): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return handler(app, false);
}

function handler(app: Fetches, overrideGlobalObjects: boolean) {
  const listener = getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects });
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    void listener(incoming, outgoing);
  };
}
