import type { CheckoutContext } from '../context.js';
import type { CheckoutOptions } from '../options.js';

/** A digest of who asks: an address is personal data, and is stored only for the window of a limit. */
export type Client = string;

/** Where the runtime does not say who asks: limits per client do not apply, because all would be one. */
export const UNKNOWN_CLIENT: Client = '';

/** The options that say how clients are recognised; at most one of them is given. */
export type ClientOptions = Pick<CheckoutOptions, 'clientAddress' | 'trustedProxies'>;

/** How proxies name the client they ask for. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'] as const;

export async function identifyClient(
  context: CheckoutContext,
  request: Request,
  env: unknown,
): Promise<Client> {
  const { options } = context.settings;
  const address = clientAddressOf(options, request, env);
  if (address === undefined) return UNKNOWN_CLIENT;
  const forwarded = FORWARDING_HEADERS.find((name) => request.headers.has(name));
  const isNamed = options.clientAddress !== undefined || options.trustedProxies !== undefined;
  if (!isNamed && forwarded !== undefined) {
    context.logSparingly({
      level: 'warn',
      event: 'client_address_unset',
      code: forwarded,
      message:
        'A proxy may stand in front, and all its payers count as one client: set trustedProxies or clientAddress. ' +
        'See docs/server.md',
    });
  }
  return context.clientDigest(address);
}

/** A forwarding header counts only as far as the options trust it: any client can send one. */
export function clientAddressOf(
  { clientAddress, trustedProxies = 0 }: ClientOptions,
  request: Request,
  env: unknown,
): string | undefined {
  if (clientAddress !== undefined) return clientAddress(request, env) || undefined;
  // Each proxy appends the address that it was asked from, so those of trusted ones are at the end.
  const chain = request.headers.get('x-forwarded-for')?.split(',') ?? [];
  const named = trustedProxies === 0 ? undefined : chain.at(-trustedProxies)?.trim();
  return named || peerAddress(env) || undefined;
}

/** Hono's Node adapter passes the incoming message as `env.incoming`. */
function peerAddress(env: unknown): string | undefined {
  const socket = (env as { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined)?.incoming
    ?.socket;
  return typeof socket?.remoteAddress === 'string' ? socket.remoteAddress : undefined;
}
