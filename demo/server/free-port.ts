import { createServer } from 'node:net';

const TRIES = 50;

/** The first port from `first` on that nobody uses. */
export async function firstFreePort(host: string, first: number): Promise<number> {
  for (let port = first; port < first + TRIES; port++) if (await isFree(host, port)) return port;
  throw new Error(`Ports ${first} to ${first + TRIES - 1} are all taken. Give another with --port.`);
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
