import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { BodyError, readBoundedText } from '../../src/service/bounded-body.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function streamed(chunks: readonly Uint8Array[], headers: HeadersInit = {}) {
  const state = { cancelled: false };
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      const chunk = left.shift();
      if (chunk === undefined) stream.close();
      else stream.enqueue(chunk);
    },
    cancel: () => void (state.cancelled = true),
  });
  return { state, message: new Response(body, { headers }) };
}

async function reasonOf(reading: Promise<string>): Promise<string> {
  const error: unknown = await reading.then(
    (text) => assert.fail(`"${text}" was read`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BodyError, String(error));
  assert.deepEqual([error.name, error.message], ['BodyError', `The body cannot be read: ${error.reason}`]);
  return error.reason;
}

describe('the text of a body', () => {
  it('may be cut between the bytes of one letter', async () => {
    const [first, second] = bytes('ñ');
    const { message } = streamed([Uint8Array.of(0x61, first ?? 0), Uint8Array.of(second ?? 0, 0x62)]);
    assert.equal(await readBoundedText(message, 4), 'añb');
  });

  it('is empty where there is none', async () => {
    assert.equal(await readBoundedText(new Response(null), 0), '');
  });

  it('is read up to the bound, and no further', async () => {
    for (const headers of [{}, { 'content-length': '4' }]) {
      assert.equal(await readBoundedText(streamed([bytes('ab'), bytes('cd')], headers).message, 4), 'abcd');
      const { message, state } = streamed([bytes('ab'), bytes('cd'), bytes('ef')], headers);
      assert.equal(await reasonOf(readBoundedText(message, 3)), 'too_large');
      assert.ok(state.cancelled);
    }
  });

  it('is refused when it is no UTF-8, or ends inside a letter', async () => {
    for (const wrong of [Uint8Array.of(0xff), Uint8Array.of(0x61, 0xc3)])
      assert.equal(await reasonOf(readBoundedText(streamed([wrong]).message, 10)), 'not_utf8');
  });

  it('is given up when it breaks off or the caller gives up', async () => {
    const broken = new ReadableStream({ pull: (stream) => stream.error(new Error('reset')) });
    assert.equal(await reasonOf(readBoundedText(new Response(broken), 10)), 'broken_off');
    const giveUp = new AbortController();
    const reading = readBoundedText(new Response(new ReadableStream()), 10, giveUp.signal);
    giveUp.abort();
    assert.equal(await reasonOf(reading), 'broken_off');
  });

  it('is read whole from a request of a page in Firefox, which shows no stream', async () => {
    const request = (text: string) => {
      const message = new Request('https://shop.example/', { method: 'POST', body: text });
      Object.defineProperty(message, 'body', { value: undefined });
      return message;
    };
    assert.equal(await readBoundedText(request('abcd'), 4), 'abcd');
    assert.equal(await reasonOf(readBoundedText(request('abcde'), 4)), 'too_large');
  });
});
