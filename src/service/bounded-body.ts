import { untilAborted } from './deadline.js';

export type BodyErrorReason = 'too_large' | 'broken_off' | 'not_utf8';

export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly reason: BodyErrorReason;

  constructor(reason: BodyErrorReason) {
    super(`The body cannot be read: ${reason}`);
    this.reason = reason;
  }
}

const neverAborted = new AbortController().signal;

/**
 * The text of a request's or an answer's body, or a BodyError. Reading stops at the bound, so that no sender
 * decides how much memory is used.
 */
export async function readBoundedText(
  message: { readonly body: ReadableStream<Uint8Array> | null; readonly headers: Headers },
  maxBytes: number,
  signal: AbortSignal = neverAborted,
): Promise<string> {
  if (message.body === null) return '';
  const reader = message.body.getReader();
  try {
    // The length the sender declares only serves to refuse early; what counts is what arrives.
    if (Number(message.headers.get('content-length') ?? 0) > maxBytes) throw new BodyError('too_large');
    return await readText(reader, maxBytes, signal);
  } catch (error) {
    // Whether the sender also stops well is of no interest here.
    reader.cancel().catch(() => undefined);
    throw error instanceof BodyError ? error : new BodyError('broken_off');
  }
}

async function readText(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new BodyError('not_utf8');
    }
  };
  let text = '';
  for (let receivedBytes = 0; ;) {
    const { done, value } = await untilAborted(reader.read(), signal);
    if (done) return text + decode();
    receivedBytes += value.byteLength;
    if (receivedBytes > maxBytes) throw new BodyError('too_large');
    text += decode(value);
  }
}
