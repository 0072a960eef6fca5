import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CrashDatabase } from './harness.js';

/** A process of the shop, which the loop kills when it likes. */
export interface Instance {
  readonly child: ChildProcess;
  readonly url: string;
}

export async function startInstance(
  program: string,
  database: CrashDatabase,
  serviceUrl: string,
): Promise<Instance> {
  const plan = JSON.stringify({ database: database.plan, serviceUrl });
  const child = spawn(process.execPath, [program, plan], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('An instance did not start'))),
  ])) as [Buffer];
  return { child, url: `http://127.0.0.1:${line.toString().trim()}` };
}

/** 503 when the instance is being killed: the callers of this loop try again. */
export async function ask(
  instance: Instance | undefined,
  path: string,
  init: RequestInit,
): Promise<Response> {
  if (instance === undefined) return new Response(null, { status: 503 });
  return fetch(instance.url + path, init).catch(() => new Response(null, { status: 503 }));
}
