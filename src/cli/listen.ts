import { listen as listenOnNode, type Listening as NodeListening } from '../node/listen.js';
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

/** Opens a TCP port for a fetch-style app, with the limits of `pay-checkout/node`. */
export async function listen({ fetch, host, port, firstPort }: ListenOptions): Promise<Listening> {
  const candidates =
    port === undefined ? Array.from({ length: PORTS_TRIED }, (_, index) => firstPort + index) : [port];
  for (const candidate of candidates) {
    try {
      const server = await listenOnNode({ fetch }, { port: candidate, hostname: host });
      return { port: server.port, close: () => close(server) };
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE') throw new CommandError(explain(code, host, candidate));
    }
  }
  throw new CommandError(
    port === undefined
      ? `Ports ${firstPort} to ${firstPort + PORTS_TRIED - 1} are all taken. Give a free one with --port.`
      : `Port ${port} is taken. Stop what uses it, or give another one with --port.`,
  );
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

/** Requests that are being held (a slow answer, a keep-alive) must not hold the exit up. */
async function close(listening: NodeListening): Promise<void> {
  const closed = listening.close();
  listening.server.closeAllConnections();
  await closed;
}
