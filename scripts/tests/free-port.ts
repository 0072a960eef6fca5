import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to whoever asks for any, which come and go while a program starts; above
 * those that browsers refuse to visit.
 */
const QUIET_PORTS = [10_100, 32_000] as const;

/** A port for a program that is yet to start: nobody uses it now, and nobody gets it without asking for it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...QUIET_PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
