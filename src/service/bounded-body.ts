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

/**
 * The text of a request's or an answer's body, or a BodyError. Reading stops at the bound, so that no sender
 * decides how much memory is used.
 */
export async function readBoundedText(
  message: Request | Response,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<string> {
  const reader = readerOf(message);
  if (reader === undefined) return '';
  try {
    // The length the sender declares only serves to refuse early; what counts is what arrives.
    if (Number(message.headers.get('content-length') ?? 0) > maxBytes) throw new BodyError('too_large');
    return await readText(reader, maxBytes, signal);
  } catch (error) {
    // The body is given up: a failure to cancel it changes nothing.
    reader.cancel().catch(() => undefined);
    throw error instanceof BodyError ? error : new BodyError('broken_off');
  }
}

interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Firefox has no `Request.body` (bug 1387483): there the request was made by the page, whose memory already holds it. */
function readerOf(message: Request | Response): ChunkReader | undefined {
  const body: ReadableStream<Uint8Array> | null | undefined = message.body;
  if (body !== undefined) return body?.getReader();
  let done = false;
  return {
    async read() {
      if (done) return { done };
      done = true;
      return { done: false, value: new Uint8Array(await message.arrayBuffer()) };
    },
    cancel: () => Promise.resolve(),
  };
}

async function readText(
  reader: ChunkReader,
  maxBytes: number,
  signal: AbortSignal | undefined,
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
    const chunk = reader.read();
    const { value } = await (signal === undefined ? chunk : untilAborted(chunk, signal));
    if (value === undefined) return text + decode();
    receivedBytes += value.byteLength;
    if (receivedBytes > maxBytes) throw new BodyError('too_large');
    text += decode(value);
  }
}
