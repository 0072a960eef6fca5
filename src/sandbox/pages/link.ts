import type { Context } from 'hono';
import { html } from 'hono/html';
import { bankName, PSE_BANKS } from '../../contract/payer/bank-list.js';
import { sortBanks } from '../../contract/payer/banks.js';
import type { Rail } from '../../contract/kinds.js';
import type { InlineCustomer } from '../../contract/service/resources.js';
import { isFinal } from '../../contract/status.js';
import { formatMoment } from '../../contract/values/moment.js';
import type { Language } from '../../look/bilingual.js';
import type { LinkPayment } from '../service/creation.js';
import type { Engine } from '../service/engine.js';
import { EngineError } from '../service/engine-error.js';
import {
  type CustomerField,
  LINK_ID_TYPES,
  personTypeOf,
  readCustomer,
  SAMPLE_CUSTOMER,
} from '../api/customer.js';
import type { IconName } from '../../look/icons.js';
import { icon } from './icons.js';
import { facts, type Html, returnAddress, seeOther, sentForm } from './layout.js';
import { missingPage, money, outcome, renderPayerPage, summary, wayBack } from './parts.js';
import type { LinkRecord, PayinRecord } from '../service/state.js';
import { languageOf, type Words, WORDS } from './words.js';

/** What the payer picks on the page, here and in the simulator; Bre-B is offered with and without a QR. */
export const METHODS = {
  QR_CODE: { rail: 'BRE_B', icon: 'qr', title: 'railQr', what: 'railQrWhat' },
  SINGLE_USE: { rail: 'BRE_B', icon: 'key', title: 'railKey', what: 'railKeyWhat' },
  PSE: { rail: 'PSE', icon: 'bank', title: 'railPse', what: 'railPseWhat' },
} as const satisfies Record<string, { rail: Rail; icon: IconName; title: keyof Words; what: keyof Words }>;
export type Method = keyof typeof METHODS;

interface LinkForm {
  readonly method: string;
  readonly bank: string;
  readonly customer: Readonly<Record<CustomerField, string>>;
  readonly wrong: ReadonlySet<string>;
}

/** The page behind `paymentLinkUrl`: pay or leave. */
export function linkPage(engine: Engine, context: Context, sent?: LinkForm): Promise<Response> {
  const language = languageOf(context.req.raw);
  const words = WORDS[language];
  const link = findLink(engine, context);
  if (!link) return missingPage(language, words);
  const leavesTo = returnAddress(link.callbackUrl);
  return renderPayerPage({
    language,
    words,
    title: link.status === 'PENDING' ? words.linkTitle : words.resultTitle[link.status],
    leavesTo,
    ...(sent ? { status: 422 } : {}),
    watch: { path: `${link.id}/status`, status: link.status },
    card: html`${summary({
        icon: 'link',
        name: engine.merchant,
        detail: link.reference,
        record: link,
        language,
      })}
      <div class="body">
        ${
          link.status === 'PENDING'
            ? payForm(engine, link, sent ?? emptyForm(link), leavesTo, language, words)
            : html`${outcome(link.status, words)}
              ${facts([
                [words.status, words.outcomes[link.status]],
                [words.amount, money(link.amountInCents, language)],
                [words.reference, link.reference],
              ])}
              ${wayBack(link.callbackUrl, leavesTo, words)}`
        }
      </div>`,
  });
}

function payForm(
  engine: Engine,
  link: LinkRecord,
  values: LinkForm,
  leavesTo: string | undefined,
  language: Language,
  words: Words,
): Html {
  const started = startedPayin(engine, link);
  const time = formatMoment(link.expiresAtMs, language);
  return html`${
      started
        ? html`<p class="notice">
            ${words.linkStarted} <a href="${payinAddress(started)}">${words.linkGoOn}</a>
          </p>`
        : ''
    }
    <form method="post" class="stack link-form">
      <fieldset>
        <legend><h1>${link.rail === null ? words.linkTitle : words.linkOnly}</h1></legend>
        <div class="stack">${methodsOf(link).map((name) => methodChoice(name, values.method, words))}</div>
        ${values.wrong.has('method') ? html`<p class="hint bad" role="alert">${words.railMissing}</p>` : ''}
      </fieldset>
      ${link.rail === 'BRE_B' ? '' : bankField(link, values, words)}
      ${link.inlineCustomer === null ? customerFields(values, words) : ''}
      <button class="button wide">${words.continue}</button>
      ${
        leavesTo === undefined ? '' : html`<a class="button ghost wide" href="${leavesTo}">${words.leave}</a>`
      }
    </form>
    <p class="note">${icon('clock')}${words.linkExpires(time)}</p>`;
}

function methodChoice(name: Method, chosen: string, words: Words): Html {
  const method = METHODS[name];
  return html`<label class="choice">
    <span class="ico">${icon(method.icon)}</span>
    <span><b>${words[method.title]}</b><span class="what">${words[method.what]}</span></span>
    <input type="radio" name="method" value="${name}" required ${chosen === name ? 'checked' : ''} />
  </label>`;
}

function bankField(link: LinkRecord, values: LinkForm, words: Words): Html {
  if (link.bank !== null) return facts([[words.bank, bankName(link.bank)]]);
  const wrong = values.wrong.has('bank');
  return html`<div class="field only-pse">
    <label for="bank">${words.bank}</label>
    <select
      class="input"
      id="bank"
      name="bank"
      ${wrong ? html`aria-invalid="true" aria-describedby="bank-hint"` : ''}
    >
      <option value="">${words.chooseBank}</option>
      ${sortBanks(PSE_BANKS).map(
        ({ code, name }) =>
          html`<option value="${code}" ${values.bank === code ? 'selected' : ''}>${name}</option>`,
      )}
    </select>
    ${wrong ? html`<p class="hint bad" id="bank-hint">${words.bankMissing}</p>` : ''}
  </div>`;
}

function customerFields(values: LinkForm, words: Words): Html {
  return html`<fieldset class="customer">
    <legend>${words.yourData}</legend>
    <div class="stack">
      ${textField('name', words.fullName, values, words, 'name')}
      <div class="row document">
        <div class="field">
          <label for="idType">${words.idType}</label>
          <select class="input" id="idType" name="idType">
            ${LINK_ID_TYPES.map(
              (type) =>
                html`<option value="${type}" ${values.customer.idType === type ? 'selected' : ''}>
                  ${words.idTypes[type]}
                </option>`,
            )}
          </select>
        </div>
        ${textField('idNumber', words.idNumber, values, words, 'off')}
      </div>
      ${textField('phone', words.phone, values, words, 'tel')}
      ${textField('email', words.email, values, words, 'email')}
    </div>
  </fieldset>`;
}

function textField(
  field: CustomerField,
  label: string,
  values: LinkForm,
  words: Words,
  autocomplete: string,
): Html {
  const wrong = values.wrong.has(field);
  return html`<div class="field">
    <label for="${field}">${label}</label>
    <input
      class="input"
      id="${field}"
      name="${field}"
      value="${values.customer[field]}"
      autocomplete="${autocomplete}"
      maxlength="254"
      required
      ${wrong ? html`aria-invalid="true" aria-describedby="${field}-hint"` : ''}
    />
    ${wrong ? html`<p class="hint bad" id="${field}-hint">${words.badField}</p>` : ''}
  </div>`;
}

/** Starts the payment that the form describes. */
export async function linkAnswer(engine: Engine, context: Context): Promise<Response> {
  const link = findLink(engine, context);
  if (!link) return linkPage(engine, context);
  if (link.status !== 'PENDING') return seeOther(link.id);
  const values = readForm(link, await sentForm(context));
  const payment = paymentOf(link, values);
  if (!payment) return linkPage(engine, context, values);
  try {
    return seeOther(payinAddress(engine.payLink(link.id, payment)));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // It expired or was paid while the payer was typing: the page says which.
    return seeOther(link.id);
  }
}

export function linkStatus(engine: Engine, context: Context): Response {
  const link = findLink(engine, context);
  return Response.json(
    { status: link?.status ?? null },
    { status: link ? 200 : 404, headers: { 'cache-control': 'no-store' } },
  );
}

function findLink(engine: Engine, context: Context): LinkRecord | undefined {
  const found = engine.find(context.req.param('id') ?? '');
  return found?.kind === 'link' ? found : undefined;
}

export function methodsOf(link: LinkRecord): Method[] {
  const all = Object.keys(METHODS) as Method[];
  return all.filter((name) => link.rail === null || METHODS[name].rail === link.rail);
}

function emptyForm(link: LinkRecord): LinkForm {
  return { method: methodsOf(link)[0] ?? '', bank: '', customer: SAMPLE_CUSTOMER, wrong: new Set() };
}

function readForm(link: LinkRecord, sent: URLSearchParams): LinkForm {
  const field = (name: string) => (sent.get(name) ?? '').trim().slice(0, 254);
  const customer = {
    name: field('name'),
    idType: field('idType'),
    idNumber: field('idNumber'),
    phone: field('phone'),
    email: field('email'),
  };
  const method = field('method');
  const bank = link.bank ?? field('bank');
  const wrong = new Set<string>();
  if (!methodsOf(link).some((name) => name === method)) wrong.add('method');
  if (method === 'PSE' && !PSE_BANKS.some(({ code }) => code === bank)) wrong.add('bank');
  if (link.inlineCustomer === null) {
    const reading = readCustomer(customer);
    if (!reading.ok) for (const each of reading.wrong) wrong.add(each);
  }
  return { method, bank, customer, wrong };
}

function paymentOf(link: LinkRecord, { method, bank, customer, wrong }: LinkForm): LinkPayment | undefined {
  const chosen = methodsOf(link).find((name) => name === method);
  const typed = readCustomer(customer);
  const payer = link.inlineCustomer ?? (typed.ok ? typed.customer : undefined);
  return chosen && payer && wrong.size === 0 ? paymentBy(chosen, bank, payer) : undefined;
}

/** The payment that a payer starts by choosing a method. */
export function paymentBy(method: Method, bank: string, inlineCustomer: InlineCustomer): LinkPayment {
  return method === 'PSE'
    ? { rail: 'PSE', bank, personType: personTypeOf(inlineCustomer.idType), inlineCustomer }
    : { rail: 'BRE_B', keyType: method, inlineCustomer };
}

function startedPayin(engine: Engine, link: LinkRecord): PayinRecord | undefined {
  return engine.payins.find((payin) => payin.paymentLinkId === link.id && !isFinal(payin.status));
}

/** From a link's page to the page of one of its payins. */
function payinAddress(payin: PayinRecord): string {
  return payin.source.rail === 'PSE'
    ? `../bank/${encodeURIComponent(payin.source.bankToken)}`
    : `../checkout/${payin.id}?token=${encodeURIComponent(payin.checkoutToken)}`;
}
