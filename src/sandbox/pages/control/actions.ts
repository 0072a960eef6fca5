import { SAMPLE_CUSTOMER } from '../../api/customer.js';
import { centsFromTyped } from '../typed-amount.js';
import type { Engine } from '../../service/engine.js';
import { EngineError } from '../../service/engine-error.js';
import type { WebhookTarget } from '../../service/webhooks.js';
import { isManual } from './tools.js';
import type { SandboxParts } from './view.js';
import type { ControlWords } from './words.js';
import { isScenarioName, SCENARIO_NAMES, type ScenarioName } from '../../service/scenarios.js';
import { wrongAmountsFor } from '../../service/settlement.js';
import { type Outcome, SETTLEMENT_STATUSES } from '../../service/state.js';

/** What a form of the control page does. The answer opens what was just made, or says why nothing was done. */
export interface ActionResult {
  readonly openId?: string;
  readonly refusal?: string;
}

export async function act(
  parts: SandboxParts,
  form: URLSearchParams,
  words: ControlWords,
): Promise<ActionResult> {
  try {
    if (form.get('do') === 'reset') return reset(parts);
    return await perform(parts.engine, form, words);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { refused } = words;
    return {
      refusal:
        error.code === 'already_final' || error.code === 'not_confirmed'
          ? refused[error.code]
          : refused.other,
    };
  }
}

async function perform(engine: Engine, form: URLSearchParams, words: ControlWords): Promise<ActionResult> {
  const id = form.get('id') ?? '';
  switch (form.get('do')) {
    case 'confirm':
      return settle(engine, id, 'CONFIRMED');
    case 'confirm-under':
      return confirmWrongly(engine, id, 'under');
    case 'confirm-over':
      return confirmWrongly(engine, id, 'over');
    case 'confirm-other': {
      const confirmedAmountInCents = centsFromTyped(form.get('pesos') ?? '');
      if (confirmedAmountInCents === null) return { refusal: words.badAmount };
      engine.settle(id, 'CONFIRMED', { confirmedAmountInCents });
      return {};
    }
    case 'decline':
      return settle(engine, id, 'DECLINED');
    case 'cancel':
      return settle(engine, id, 'CANCELED');
    case 'settlement': {
      const status = SETTLEMENT_STATUSES.find((name) => name === form.get('settlementStatus'));
      if (!status) return { refusal: words.refused.other };
      engine.moveSettlement(id, status);
      return {};
    }
    case 'charge-back':
      engine.chargeBack(id);
      return {};
    case 'expire':
      engine.expireLink(id);
      return {};
    case 'resend':
      engine.resend(id);
      return {};
    case 'clock':
      return advanceClock(engine, Number(form.get('advanceMs')), words);
    case 'webhook-add':
      return addWebhook(engine, form, words);
    case 'webhook-remove':
      engine.setWebhooks(engine.webhooks.filter(({ url }) => url !== form.get('url')));
      return {};
    default:
      return mishapAction(engine, form, id) ?? createSample(engine, form.get('do') ?? '', words);
  }
}

function reset({ engine, requests }: SandboxParts): ActionResult {
  engine.reset();
  requests.clear();
  return {};
}

function settle(engine: Engine, id: string, outcome: Outcome): ActionResult {
  engine.settle(id, outcome);
  return {};
}

function confirmWrongly(engine: Engine, id: string, by: 'under' | 'over'): ActionResult {
  const record = engine.find(id);
  if (!record) throw new EngineError('not_found');
  engine.settle(id, 'CONFIRMED', { confirmedAmountInCents: wrongAmountsFor(record.amountInCents)[by] });
  return {};
}

function mishapAction(engine: Engine, form: URLSearchParams, id: string): ActionResult | undefined {
  const doing = form.get('do');
  if (doing === 'mishaps-off') {
    for (const name of SCENARIO_NAMES) turnOff(engine, name);
    return {};
  }
  const name = form.get('scenario') ?? '';
  if (!isScenarioName(name)) return undefined;
  switch (doing) {
    case 'mishap-on':
      engine.setMishap(name, true);
      return {};
    case 'mishap-off':
      turnOff(engine, name);
      return {};
    case 'mishap-next':
      engine.armMishap(name, (engine.mishaps.armed[name] ?? 0) + 1);
      return {};
    case 'own-mishap-on':
      engine.setMishapFor(id, name, true);
      return {};
    case 'own-mishap-off':
      engine.setMishapFor(id, name, false);
      return {};
    default:
      return undefined;
  }
}

function turnOff(engine: Engine, name: ScenarioName): void {
  if (engine.mishaps.everywhere.includes(name)) engine.setMishap(name, false);
  if (engine.mishaps.armed[name] !== undefined) engine.armMishap(name, 0);
}

async function advanceClock(engine: Engine, advanceMs: number, words: ControlWords): Promise<ActionResult> {
  if (!isManual(engine.clock) || !Object.hasOwn(words.clockSteps, String(advanceMs))) {
    return { refusal: words.refused.other };
  }
  await engine.clock.advance(advanceMs, () => engine.idle());
  return {};
}

function addWebhook(engine: Engine, form: URLSearchParams, words: ControlWords): ActionResult {
  const field = (name: string) => (form.get(name) ?? '').trim();
  const target: WebhookTarget = {
    url: field('url'),
    headerName: field('headerName'),
    headerValue: field('headerValue'),
  };
  if (target.headerName === '' || target.headerValue === '') return { refusal: words.webhookBad };
  const others = engine.webhooks.filter(({ url }) => url !== target.url);
  try {
    engine.setWebhooks([...others, target]);
  } catch (error) {
    if (error instanceof TypeError) return { refusal: words.webhookBad };
    throw error;
  }
  return {};
}

/** One click instead of a call: what a merchant's server would have sent. */
function createSample(engine: Engine, name: string, words: ControlWords): ActionResult {
  const common = { amountInCents: 12_500_000, currency: 'COP' } as const;
  const reference = `PRUEBA-${String(engine.revision + 1).padStart(4, '0')}`;
  switch (name) {
    case 'sample-qr':
    case 'sample-key': {
      const keyType = name === 'sample-qr' ? 'QR_CODE' : 'SINGLE_USE';
      return made(engine.createPayin({ ...common, reference, rail: 'BRE_B', breb: { keyType } }));
    }
    case 'sample-pse': {
      const pse = { bank: 'CO_BANKA', personType: 'INDIVIDUAL' } as const;
      return made(
        engine.createPayin({ ...common, reference, rail: 'PSE', pse, inlineCustomer: SAMPLE_CUSTOMER }),
      );
    }
    case 'sample-payout': {
      const breb = { keyString: '@prueba' };
      engine.lookupKey(breb.keyString);
      return made(
        engine.createPayout({ ...common, reference, rail: 'BRE_B', inlineCustomer: SAMPLE_CUSTOMER, breb }),
      );
    }
    case 'sample-link':
      return made(
        engine.createLink({
          amountType: 'FIXED',
          amountInCents: common.amountInCents,
          reference,
          callbackUrl: `${engine.publicUrl}/_/`,
        }),
      );
    default:
      return { refusal: words.refused.other };
  }
}

const made = ({ id }: { readonly id: string }): ActionResult => ({ openId: id });
