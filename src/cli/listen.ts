import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { CommandError } from './command.js';

export interface ListenOptions {
  readonly fetch: (request: Request, env?: unknown) => Promise<Response>;
  readonly host: string;
  /** The port that was asked for: this one or none. Without it, the first free one from `firstPort` on. */
  readonly port: number | undefined;
  readonly firstPort: number;
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

const PORTS_TRIED = 20;
/** How long a client may take to send its headers, and the whole request. Answers may be held longer. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 20_000 };

/** Opens a TCP port for a fetch-style app. */
export async function listen({ fetch, host, port, firstPort }: ListenOptions): Promise<Listening> {
  const server = createAdaptorServer({ fetch, hostname: host, serverOptions: TIMEOUTS });
  const candidates =
    port === undefined ? Array.from({ length: PORTS_TRIED }, (_, index) => firstPort + index) : [port];
  for (const candidate of candidates) {
    const failure = await tryPort(server, host, candidate);
    if (failure === undefined) return { port: boundPort(server), close: () => close(server) };
    if (failure !== 'EADDRINUSE') throw new CommandError(explain(failure, host, candidate));
  }
  throw new CommandError(
    port === undefined
      ? `Ports ${firstPort} to ${firstPort + PORTS_TRIED - 1} are all taken. Give a free one with --port.`
      : `Port ${port} is taken. Stop what uses it, or give another one with --port.`,
  );
}

/** The system's code when it did not work. */
function tryPort(server: ServerType, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off('listening', worked);
      resolve(error.code ?? 'unknown');
    };
    const worked = () => {
      server.off('error', failed);
      resolve(undefined);
    };
    server.once('error', failed);
    server.once('listening', worked);
    server.listen(port, host);
  });
}

function explain(code: string, host: string, port: number): string {
  switch (code) {
    case 'EACCES':
      return `This user may not open port ${port}. Ports above 1024 need no permission.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address "${host}". Try --host 127.0.0.1 or --host 0.0.0.0.`;
    default:
      return `Could not listen on ${host}, port ${port} (${code}).`;
  }
}

function boundPort(server: ServerType): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new CommandError('The server has no port.');
  return address.port;
}

/** Requests that are being held (a slow answer, a keep-alive) must not hold the exit up. */
function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
