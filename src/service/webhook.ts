import { equalInConstantTime } from '../contract/constant-time.js';
import { parseEvent, type ServiceEvent } from '../contract/service/events.js';
import { readBoundedText, BodyError } from './bounded-body.js';

/**
 * The service signs nothing: it repeats one static header that the merchant chose. So a verified event is a hint
 * from someone who knows the header, and no proof of a payment.
 */
export interface WebhookSecret {
  /** Name of the header, as set at the service. */
  readonly header: string;
  readonly secret: string;
}

export interface VerifyWebhookOptions extends WebhookSecret {
  /** Accepted too, while the value is being changed at the service. */
  readonly previousSecret?: string | undefined;
  readonly maxBytes?: number | undefined;
}

export type WebhookErrorReason = 'unauthorized' | 'too_large' | 'unreadable';

const STATUSES: Readonly<Record<WebhookErrorReason, number>> = {
  unauthorized: 401,
  too_large: 413,
  unreadable: 400,
};

export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly reason: WebhookErrorReason;
  /** The HTTP status to answer with. */
  readonly status: number;

  constructor(reason: WebhookErrorReason) {
    super(`The webhook was not accepted: ${reason}`);
    this.reason = reason;
    this.status = STATUSES[reason];
  }
}

/** An event may carry its payin's QR image. */
const DEFAULT_MAX_BYTES = 524_288;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Inner spaces are allowed ("Bearer …"); outer ones are lost on the wire and could never match. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/;

/** The event behind a webhook request, or a WebhookError. The body is read only after the header was accepted. */
export async function verifyWebhook(request: Request, options: VerifyWebhookOptions): Promise<ServiceEvent> {
  requireWebhookSecrets(options);
  const given = request.headers.get(options.header) ?? '';
  // Both are always compared, so that the time does not tell which one is in use.
  const matches = await Promise.all([
    equalInConstantTime(given, options.secret),
    equalInConstantTime(given, options.previousSecret ?? options.secret),
  ]);
  if (!matches.includes(true)) throw new WebhookError('unauthorized');

  const event = parseEvent(await readJson(request, options.maxBytes ?? DEFAULT_MAX_BYTES));
  if (event === undefined) throw new WebhookError('unreadable');
  return event;
}

/** The headers of a webhook request as the service sends them; the counterpart of `verifyWebhook`. */
export function signWebhook(secret: WebhookSecret): Record<string, string> {
  requireSecret(secret);
  return { 'content-type': 'application/json', [secret.header.toLowerCase()]: secret.secret };
}

async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  try {
    return JSON.parse(await readBoundedText(request, maxBytes));
  } catch (error) {
    const tooLarge = error instanceof BodyError && error.reason === 'too_large';
    throw new WebhookError(tooLarge ? 'too_large' : 'unreadable');
  }
}

/** @throws TypeError when the header or a secret could never be sent. */
export function requireWebhookSecrets(options: VerifyWebhookOptions): void {
  requireSecret(options);
  if (options.previousSecret !== undefined) requireSecret({ ...options, secret: options.previousSecret });
}

/** An empty or unsendable secret is a mistake of the merchant's, not of the sender. */
function requireSecret({ header, secret }: WebhookSecret): void {
  if (!HEADER_NAME.test(header)) throw new TypeError('header must be the name of an HTTP header');
  if (!HEADER_VALUE.test(secret)) {
    throw new TypeError('A webhook secret must be 1 to 1024 printable ASCII characters without outer spaces');
  }
}
