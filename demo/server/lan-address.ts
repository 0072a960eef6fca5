import { networkInterfaces } from 'node:os';

type Interfaces = ReturnType<typeof networkInterfaces>;

/** Home and office networks first: bridges of containers and virtual machines mostly live in 172.16/12. */
const PREFERENCE = [/^192\.168\./, /^10\./, /./];

/** How others on the network reach this machine, or undefined when it is on none. */
export function lanAddress(interfaces: Interfaces = networkInterfaces()): string | undefined {
  const addresses = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  for (const pattern of PREFERENCE) {
    const found = addresses.find((address) => pattern.test(address));
    if (found !== undefined) return found;
  }
  return undefined;
}
