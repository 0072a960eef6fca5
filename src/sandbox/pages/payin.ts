import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Language } from '../../look/bilingual.js';
import type { Engine } from '../service/engine.js';
import { EngineError } from '../service/engine-error.js';
import type { Outcome, PayinRecord } from '../service/state.js';
import type { Html } from './layout.js';
import { outcome, payinFacts, wayBack } from './parts.js';
import type { Words } from './words.js';

/** What the bank's page and the checkout page do alike with a payin. */

export function statusAnswer(payin: PayinRecord | undefined): Response {
  const headers = { 'cache-control': 'no-store' };
  if (!payin) return Response.json({ status: null }, { status: 404, headers });
  return Response.json({ status: payin.status }, { headers });
}

export function watchOf(payin: PayinRecord, path: string) {
  return { path, status: payin.status };
}

export function result(
  payin: PayinRecord,
  checked: string | undefined,
  language: Language,
  words: Words,
): Html {
  return html`${outcome(payin.status, words)} ${payinFacts(payin, language, words)}
  ${wayBack(payin.callbackUrl, checked, words)}`;
}

const DECISIONS: ReadonlyMap<string, Outcome> = new Map([
  ['approve', 'CONFIRMED'],
  ['reject', 'DECLINED'],
  ['cancel', 'CANCELED'],
]);

/** Anything but approve, reject and cancel decides nothing. */
export function decide(engine: Engine, payin: PayinRecord, action: string | null): void {
  const decision = DECISIONS.get(action ?? '');
  if (decision) ifStillOpen(() => engine.decide(payin.id, decision));
}

/** Two tabs can decide the same payin; the second is ignored and its next page shows the outcome. */
export function ifStillOpen(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}

export function keepLanguage(address: string, context: Context): string {
  const asked = context.req.query('lang');
  if (asked !== 'es' && asked !== 'en') return address;
  return `${address}${address.includes('?') ? '&' : '?'}lang=${asked}`;
}
