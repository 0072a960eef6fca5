import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpTransportOptions, createHttpTransport } from '../../src/transport/http/http-transport.js';
import { TransportError } from '../../src/transport/port.js';
import { NOON_MS } from '../machine/fixtures.js';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (asked: Asked, response: ServerResponse) => void;

/** A real backend on the loopback that answers as it is told and keeps what it was asked. */
export async function serve(answer: Answer) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body };
      asked.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    backend: `http://127.0.0.1:${port}/checkout`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };

export const problem = (value: { status: number }, headers: Record<string, string> = {}): Answer =>
  json(value, value.status, { 'Content-Type': 'application/problem+json; charset=utf-8', ...headers });

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** Runs a test against a backend that gives one answer. */
export async function against(
  answer: Answer,
  run: (
    transport: ReturnType<typeof createHttpTransport>,
    asked: Awaited<ReturnType<typeof serve>>['asked'],
  ) => Promise<void>,
  options: Partial<HttpTransportOptions> = {},
) {
  const server = await serve(answer);
  try {
    await run(
      createHttpTransport({
        backend: server.backend,
        now: () => NOON_MS,
        ...options,
      }),
      server.asked,
    );
  } finally {
    await server.close();
  }
}

export const failing = async (promise: Promise<unknown>): Promise<TransportError> => {
  const error: unknown = await promise.then(
    () => assert.fail('it did not fail'),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof TransportError, String(error));
  return error;
};
