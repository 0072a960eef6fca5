import type { Context, Hono } from 'hono';
import * as v from 'valibot';
import { KEY_TYPES, PERSON_TYPES } from '../../contract/kinds.js';
import { InlineCustomerSchema } from '../../contract/service/resources.js';
import { bankCode, cents, webAddress } from '../../contract/fields.js';
import { onlyFromHere } from './access.js';
import type { Engine } from '../service/engine.js';
import { ApiError, invalid, readBody } from './http.js';
import { controlRevision, controlView, type SandboxParts } from './control-view.js';
import { createSample, SAMPLES } from './samples.js';
import { SCENARIO_NAMES, SCENARIOS } from '../service/scenarios.js';
import { OUTCOMES, SETTLEMENT_STATUSES } from '../service/state.js';

/**
 * What the control page shows and does, for it and for programs. It needs no key, so it must not be a door for any
 * website the developer happens to visit: see `access.ts`.
 */

const id = v.pipe(v.string(), v.uuid());
const scenario = v.picklist(SCENARIO_NAMES);

const SettleSchema = v.object({
  outcome: v.picklist(OUTCOMES),
  confirmedAmountInCents: v.optional(cents),
});

const DecideSchema = v.object({ outcome: v.picklist(OUTCOMES) });

const SettlementSchema = v.object({ status: v.picklist(SETTLEMENT_STATUSES) });

const MishapSchema = v.variant('scope', [
  v.object({ scope: v.literal('everywhere'), scenario, on: v.boolean() }),
  v.object({
    scope: v.literal('next'),
    scenario,
    count: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000)),
  }),
  v.object({ scope: v.literal('one'), scenario, id, on: v.boolean() }),
]);

const LinkPaymentSchema = v.variant('rail', [
  v.object({
    rail: v.literal('BRE_B'),
    keyType: v.picklist(KEY_TYPES),
    inlineCustomer: v.exactOptional(InlineCustomerSchema),
  }),
  v.object({
    rail: v.literal('PSE'),
    bank: bankCode,
    personType: v.picklist(PERSON_TYPES),
    inlineCustomer: v.exactOptional(InlineCustomerSchema),
  }),
]);

const headerText = v.pipe(v.string(), v.minLength(1), v.maxLength(256), v.regex(/^[\x21-\x7e]+$/));
const WebhooksSchema = v.object({
  targets: v.pipe(
    v.array(
      v.object({
        url: webAddress,
        headerName: v.pipe(v.string(), v.minLength(1), v.maxLength(64), v.regex(/^[\w-]+$/)),
        headerValue: headerText,
      }),
    ),
    v.maxLength(10),
  ),
});

const SampleSchema = v.object({ sample: v.picklist(SAMPLES) });

const EmptySchema = v.object({});

export function mountControlApi(app: Hono, parts: SandboxParts): void {
  const { engine, requests } = parts;
  app.use('/_/*', async (context, next) => {
    onlyFromHere(context.req.raw, engine.publicUrl);
    await next();
  });

  app.get('/_/api/state', (context) => context.json(controlState(engine)));
  app.get('/_/api/scenarios', (context) => context.json(SCENARIOS));
  app.get('/_/api/view', (context) =>
    context.json(controlView(parts, new URL(context.req.url).searchParams)),
  );
  app.get('/_/revision', (context) =>
    context.json({ revision: controlRevision(parts, context.req.query('section') ?? '') }),
  );

  app.post('/_/api/payins/:id/settle', (context) => settle(context, 'payin'));
  app.post('/_/api/payouts/:id/settle', (context) => settle(context, 'payout'));
  const settle = async (context: Context, kind: 'payin' | 'payout') => {
    const input = await readBody(context.req.raw, SettleSchema);
    const { id: of } = found(engine, context, kind);
    return context.json(engine.settle(of, input.outcome, input));
  };

  app.post('/_/api/payins/:id/decide', async (context) => {
    const { outcome } = await readBody(context.req.raw, DecideSchema);
    return context.json(engine.decide(found(engine, context, 'payin').id, outcome));
  });
  app.post('/_/api/payins/:id/settlement', async (context) => {
    const { status } = await readBody(context.req.raw, SettlementSchema);
    return context.json(engine.moveSettlement(context.req.param('id'), status));
  });
  app.post('/_/api/payins/:id/chargeback', async (context) => {
    await readBody(context.req.raw, EmptySchema);
    return context.json(engine.chargeBack(context.req.param('id')));
  });
  app.post('/_/api/links/:id/expire', async (context) => {
    await readBody(context.req.raw, EmptySchema);
    return context.json(engine.expireLink(context.req.param('id')));
  });
  app.post('/_/api/links/:id/pay', async (context) => {
    const payment = await readBody(context.req.raw, LinkPaymentSchema);
    return context.json(engine.payLink(context.req.param('id'), payment), 201);
  });
  app.post('/_/api/deliveries/:id/resend', async (context) => {
    await readBody(context.req.raw, EmptySchema);
    return context.json(engine.resend(context.req.param('id')));
  });

  app.post('/_/api/mishaps', async (context) => {
    const input = await readBody(context.req.raw, MishapSchema);
    switch (input.scope) {
      case 'everywhere':
        engine.setMishap(input.scenario, input.on);
        break;
      case 'next':
        engine.armMishap(input.scenario, input.count);
        break;
      case 'one':
        engine.setMishapFor(input.id, input.scenario, input.on);
        break;
      default:
        input satisfies never;
    }
    return context.json(engine.mishaps);
  });

  app.post('/_/api/samples', async (context) => {
    const { sample } = await readBody(context.req.raw, SampleSchema);
    const { id: made } = createSample(engine, sample);
    return context.json({ id: made }, 201);
  });

  app.post('/_/api/reset', async (context) => {
    await readBody(context.req.raw, EmptySchema);
    engine.reset();
    requests.clear();
    return context.json(controlState(engine));
  });

  app.put('/_/api/webhooks', async (context) => {
    const { targets } = await readBody(context.req.raw, WebhooksSchema);
    try {
      engine.setWebhooks(targets);
    } catch {
      throw invalid('targets', 'format');
    }
    return context.json({ targets: targets.map(({ url, headerName }) => ({ url, headerName })) });
  });
}

function found(engine: Engine, context: Context, kind: 'payin' | 'payout') {
  const record = engine.find(context.req.param('id') ?? '');
  if (record?.kind !== kind) throw new ApiError('not_found');
  return record;
}

/** The newest of each kind; the lists of the API have the rest. */
const MAX_SHOWN = 200;

function controlState(engine: Engine) {
  return {
    revision: engine.revision,
    nowMs: engine.clock.now(),
    payins: engine.payins.slice(0, MAX_SHOWN),
    payouts: engine.payouts.slice(0, MAX_SHOWN),
    links: engine.links.slice(0, MAX_SHOWN),
    events: engine.events.slice(0, MAX_SHOWN),
    deliveries: engine.deliveries.slice(0, MAX_SHOWN),
    mishaps: engine.mishaps,
  };
}
