import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Engine } from '../../service/engine.js';
import { act } from './actions.js';
import { detailPanel } from './detail.js';
import { listSection } from './lists.js';
import { activeMishaps, connectionSection, mishapsSection } from './tools.js';
import { addressOf, type Connection, type ControlView, FIRST_SHOW, type Section, SECTIONS } from './view.js';
import { controlWordsIn } from './words.js';
import { icon, type IconName } from '../icons.js';
import { type Html, renderPage, seeOther, sentForm } from '../layout.js';
import { LANGUAGES, languageOf } from '../words.js';

/**
 * The page where a developer watches and steers the sandbox. This room draws it as plain links and forms; the script
 * only fetches it again when something changed and sends the forms without a reload. A new section is a file here;
 * what programs may do as well belongs in `api/control-api.ts`.
 */
export function controlPage(
  engine: Engine,
  connection: Connection,
  context: Context,
  refusal?: string,
): Promise<Response> {
  const view = readView(engine, connection, context, refusal);
  const { words, section } = view;
  return renderPage({
    language: view.language,
    title: `${words.sections[section]} · ${words.title}`,
    root: '',
    styles: ['page.css', 'control.css'],
    script: 'control.js',
    swapsHtml: true,
    status: refusal === undefined ? 200 : 409,
    body: html`<body
      class="control ${view.openId === '' ? '' : 'has-detail'}"
      data-revision="${String(engine.revision)}"
      data-copied="${words.copied}"
      data-copy-failed="${words.copyFailed}"
      data-not-live="${words.notLive}"
    >
      <a class="skip" href="#content">${words.skip}</a>
      ${topBar(view)}
      <div class="shell">
        ${navigation(view)}
        <main id="content" tabindex="-1">
          ${activeMishaps(view)}
          ${refusal === undefined ? '' : html`<p class="refusal" role="alert">${icon('alert')}${refusal}</p>`}
          <h1>${words.sections[section]}</h1>
          <div class="columns">
            <div class="listing">${sectionBody(view)}</div>
            ${view.openId === '' ? '' : detailPanel(view)}
          </div>
        </main>
      </div>
    </body>`,
  });
}

/** A form of the control page was sent. */
export async function controlAnswer(
  engine: Engine,
  connection: Connection,
  context: Context,
): Promise<Response> {
  const view = readView(engine, connection, context);
  const result = await act(engine, await sentForm(context), view.words);
  if (result.refusal !== undefined) return controlPage(engine, connection, context, result.refusal);
  return seeOther(`./${addressOf(view, { openId: result.openId ?? view.openId })}`);
}

function readView(engine: Engine, connection: Connection, context: Context, refusal?: string): ControlView {
  const query = (name: string) => (context.req.query(name) ?? '').trim().slice(0, 128);
  const language = languageOf(context.req.raw);
  return {
    engine,
    connection,
    language,
    words: controlWordsIn(language),
    section: SECTIONS.find((name) => name === query('section')) ?? 'payins',
    search: query('q'),
    status: query('status'),
    openId: query('open'),
    show: /^\d{1,5}$/.test(query('show')) ? Math.max(FIRST_SHOW, Number(query('show'))) : FIRST_SHOW,
    refusal,
    askedLanguage: LANGUAGES.find((name) => name === query('lang')),
  };
}

function topBar(view: ControlView): Html {
  const { words, language } = view;
  const other = language === 'es' ? 'en' : 'es';
  return html`<header class="top">
    <a class="brand" href="?${view.askedLanguage === undefined ? '' : `lang=${view.askedLanguage}`}">
      <span class="tile">${icon('flask')}</span>
      <span><b>${words.title}</b><span class="sub">${words.subtitle}</span></span>
    </a>
    <p class="live" data-live-state role="status">
      <span class="dot"></span><span data-label>${words.live}</span>
    </p>
    <a
      class="language"
      href="${addressOf({ ...view, askedLanguage: other }, {})}"
      lang="${other}"
      hreflang="${other}"
      >${words.otherLanguage}</a
    >
  </header>`;
}

const SECTION_ICONS = {
  payins: 'qr',
  payouts: 'out',
  links: 'link',
  events: 'bolt',
  mishaps: 'alert',
  connection: 'plug',
} as const satisfies Record<Section, IconName>;

function navigation(view: ControlView): Html {
  const { engine, words } = view;
  const counts: Partial<Record<Section, number>> = {
    payins: engine.payins.length,
    payouts: engine.payouts.length,
    links: engine.links.length,
    events: engine.events.length,
    mishaps: new Set([...engine.mishaps.everywhere, ...Object.keys(engine.mishaps.armed)]).size,
  };
  return html`<nav aria-label="${words.sectionsLabel}">
    <ul>
      ${SECTIONS.map((section) => {
        const current = section === view.section;
        const count = counts[section] ?? 0;
        return html`<li>
          <a
            href="${addressOf(view, { section, search: '', status: '', openId: '', show: FIRST_SHOW })}"
            ${current ? html`aria-current="page"` : ''}
            >${icon(SECTION_ICONS[section])}<span>${words.sections[section]}</span>${
              count > 0 ? html`<span class="count">${String(count)}</span>` : ''
            }</a
          >
        </li>`;
      })}
    </ul>
  </nav>`;
}

function sectionBody(view: ControlView): Html {
  switch (view.section) {
    case 'payins':
    case 'payouts':
    case 'links':
    case 'events':
      return listSection(view, view.section);
    case 'mishaps':
      return mishapsSection(view);
    case 'connection':
      return connectionSection(view);
    default:
      return view.section satisfies never;
  }
}
