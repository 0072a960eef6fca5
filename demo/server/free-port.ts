import { createServer } from 'node:net';

const TRIES = 50;
/** A browser may resolve `localhost` to any of these, so the port must be free on all of them. */
const HOSTS = ['127.0.0.1', '::1', '0.0.0.0'];

/** The first free port from `first` on. */
export async function firstFreePort(first: number): Promise<number> {
  const last = Math.min(first + TRIES - 1, 65_535);
  for (let port = first; port <= last; port++) if (await isFree(port)) return port;
  throw new Error(`Ports ${first} to ${last} are taken. Choose another with --port.`);
}

async function isFree(port: number): Promise<boolean> {
  for (const host of HOSTS) if (await isTaken(host, port)) return false;
  return true;
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 has no such address, so no other program can listen there either.
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRNOTAVAIL'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}
