import type { Context, Hono } from 'hono';
import type * as v from 'valibot';
import type { Attempt } from '../../contract/backend.js';
import { IdempotencyKeySchema, StartPayinSchema } from '../../contract/start.js';
import { PROBLEM_CONTENT_TYPE, type ProblemCode, PROBLEMS } from '../../contract/problems.js';
import { type FieldError, read } from '../../contract/schema.js';
import { isOwnPage } from './access.js';
import type { LinkPayment } from '../service/creation.js';
import type { Engine } from '../service/engine.js';
import { EngineError } from '../service/engine-error.js';
import { ApiError, readBody } from './http.js';
import { personTypeOf, readCustomer } from './customer.js';
import { currentPayin, linkAttempt, linkOffer, linkVersion, payinsOf } from './attempt-view.js';
import type { LinkRecord, PayinRecord } from '../service/state.js';

/**
 * The backend contract for the widget on a link's page, where the merchant is the service itself. Only what one payer
 * on one page needs: everything the link decided is decided here, and the browser gives no amount.
 */
export function mountLinkBackend(app: Hono, engine: Engine): void {
  /** What each idempotency key created, so that a repeated request creates nothing. In memory only. */
  const made = new Map<string, { readonly payinId: string; readonly fingerprint: string }>();

  const answer = async (context: Context, work: (link: LinkRecord) => Promise<Response> | Response) => {
    try {
      const link = engine.readLink(context.req.param('id') ?? '');
      if (!link) throw new Problem('not_found');
      return await work(link);
    } catch (error) {
      if (error instanceof Problem) return problemResponse(error);
      if (error instanceof ApiError) return problemResponse(asProblem(error));
      throw error;
    }
  };

  app.get('/link/:id/checkout/orders/:order', (context) =>
    answer(context, (link) => {
      if (context.req.param('order') !== link.id) throw new Problem('not_found');
      return Response.json(linkOffer(engine, link), { headers: NO_STORE });
    }),
  );

  app.get('/link/:id/checkout/payins/:payin', (context) =>
    answer(context, async (link) => {
      const payinId = context.req.param('payin');
      const found = (now: LinkRecord) => payinsOf(engine, now).find(({ id }) => id === payinId);
      if (!found(link)) throw new Problem('not_found');
      const waited = await heldBack(engine, link, context);
      const now = engine.readLink(link.id) ?? link;
      const payin = found(now);
      if (!payin) throw new Problem('not_found');
      return Response.json({ ...linkAttempt(engine, now, payin), waited }, { headers: NO_STORE });
    }),
  );

  app.post('/link/:id/checkout/payins', (context) =>
    answer(context, async (link) => {
      const { raw } = context.req;
      if (!isOwnPage(raw, engine.publicUrl)) throw new Problem('origin_not_allowed');
      const key = read(IdempotencyKeySchema, raw.headers.get('idempotency-key') ?? '');
      if (!key.ok) throw new Problem('idempotency_key_missing');
      const body = await readBody(raw, StartPayinSchema);
      const fingerprint = JSON.stringify([link.id, body.rail, 'pse' in body ? body.pse : body.breb]);
      const earlier = made.get(key.value);
      if (earlier && earlier.fingerprint !== fingerprint) throw new Problem('idempotency_mismatch');
      const same = earlier && payinsOf(engine, link).find(({ id }) => id === earlier.payinId);
      if (same) return Response.json(linkAttempt(engine, link, same), { status: 201, headers: NO_STORE });

      const current = currentPayin(payinsOf(engine, link));
      const currentAttempt = current && linkAttempt(engine, link, current);
      if (current?.status === 'CONFIRMED') throw new Problem('already_paid', { attempt: currentAttempt });
      if (body.replaces !== undefined && body.replaces !== current?.id) {
        throw new Problem('not_current', { attempt: currentAttempt });
      }
      if (currentAttempt && body.replaces === undefined) {
        return Response.json(currentAttempt, { headers: NO_STORE });
      }
      const payin = pay(engine, link, paymentOf(link, body));
      made.set(key.value, { payinId: payin.id, fingerprint });
      return Response.json(linkAttempt(engine, link, payin), { status: 201, headers: NO_STORE });
    }),
  );
}

const NO_STORE = { 'cache-control': 'no-store' };

function pay(engine: Engine, link: LinkRecord, payment: LinkPayment): PayinRecord {
  try {
    return engine.payLink(link.id, payment);
  } catch (error) {
    // Expired meanwhile, another rail, a bank that does not exist: the page shows what is left.
    if (error instanceof EngineError) throw new Problem('method_unavailable');
    throw error;
  }
}

function paymentOf(link: LinkRecord, body: v.InferOutput<typeof StartPayinSchema>): LinkPayment {
  let given = {};
  if (link.inlineCustomer === null) {
    const reading = readCustomer(body.inlineCustomer ?? {});
    if (!reading.ok) {
      const errors = reading.wrong.map((field) => ({
        field: `inlineCustomer.${field}`,
        code: body.inlineCustomer?.[field] === undefined ? ('required' as const) : ('format' as const),
      }));
      throw new Problem('invalid_request', { errors });
    }
    given = { inlineCustomer: reading.customer };
  }
  if (body.rail === 'BRE_B') return { rail: body.rail, keyType: body.breb.keyType, ...given };
  const { bank, personType } = body.pse;
  if (link.bank !== null && link.bank !== bank) throw new Problem('method_unavailable');
  // Who pays is decided by the document that the link brought, if it did.
  const { idType } = link.inlineCustomer ?? {};
  return { rail: body.rail, bank, personType: idType ? personTypeOf(idType) : personType, ...given };
}

const LONGEST_WAIT_SECONDS = 25;

/** Waits until something changes or the requested time is up. False when no waiting was asked for. */
async function heldBack(engine: Engine, link: LinkRecord, context: Context): Promise<boolean> {
  const after = context.req.query('after');
  const seconds = Math.min(Number(context.req.query('wait') ?? 0), LONGEST_WAIT_SECONDS);
  if (after === undefined || !(seconds > 0)) return false;
  const { signal } = context.req.raw;
  const moved = () => {
    const now = engine.readLink(link.id) ?? link;
    return linkVersion(now, payinsOf(engine, now)) !== after;
  };
  if (moved()) return true;
  await new Promise<void>((resolve) => {
    const ends: (() => void)[] = [];
    const end = () => {
      for (const each of ends) each();
      resolve();
    };
    ends.push(
      engine.clock.setTimer(seconds * 1_000, end),
      engine.subscribe(() => moved() && end()),
      () => signal.removeEventListener('abort', end),
    );
    signal.addEventListener('abort', end);
  });
  return true;
}

interface Extras {
  readonly errors?: readonly FieldError[];
  readonly attempt?: Attempt | undefined;
}

class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly extras: Extras;

  constructor(code: ProblemCode, extras: Extras = {}) {
    super(PROBLEMS[code].title);
    this.code = code;
    this.extras = extras;
  }
}

function asProblem({ code, errors }: ApiError): Problem {
  switch (code) {
    case 'payload_too_large':
    case 'unsupported_media_type':
      return new Problem(code);
    default:
      return new Problem('invalid_request', errors ? { errors } : {});
  }
}

function problemResponse({ code, extras }: Problem): Response {
  const { status, title } = PROBLEMS[code];
  const type = `urn:pay-checkout:problem:${code}`;
  return new Response(JSON.stringify({ type, title, status, code, ...extras }), {
    status,
    headers: { ...NO_STORE, 'content-type': PROBLEM_CONTENT_TYPE },
  });
}
