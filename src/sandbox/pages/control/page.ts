import type { Context } from 'hono';
import { html } from 'hono/html';
import { act } from './actions.js';
import { detailPanel } from './detail.js';
import { listSection } from './lists.js';
import { activeMishaps, connectionSection, mishapsSection } from './tools.js';
import {
  addressOf,
  type ControlView,
  type SandboxParts,
  type Section,
  SECTIONS,
  UNFILTERED,
} from './view.js';
import { controlWordsIn } from './words.js';
import { icon, type IconName } from '../icons.js';
import { type Html, renderPage, seeOther, sentForm } from '../layout.js';
import { LANGUAGES, languageOf } from '../words.js';

/**
 * The page where a developer watches and steers the sandbox. This room draws it as plain links and forms; the script
 * only fetches it again when something changed and sends the forms without a reload. A new section is a file here;
 * what programs may do as well belongs in `api/control-api.ts`.
 */
export function controlPage(parts: SandboxParts, context: Context, refusal?: string): Promise<Response> {
  const view = readView(parts, context, refusal);
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
      data-revision="${controlRevision(parts, context)}"
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
export async function controlAnswer(parts: SandboxParts, context: Context): Promise<Response> {
  const view = readView(parts, context);
  const result = await act(parts, await sentForm(context), view.words);
  if (result.refusal !== undefined) return controlPage(parts, context, result.refusal);
  return seeOther(`./${addressOf(view, { openId: result.openId ?? view.openId })}`);
}

/** Changes whenever what a section shows does; the log of requests only matters to those who look at it. */
export function controlRevision({ engine, requests }: SandboxParts, context: Context): string {
  const isLog = context.req.query('section') === ('requests' satisfies Section);
  return isLog ? `${engine.revision}.${requests.count}` : String(engine.revision);
}

function readView(parts: SandboxParts, context: Context, refusal?: string): ControlView {
  const query = (name: string) => (context.req.query(name) ?? '').trim().slice(0, 128);
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(query(name)) ? query(name) : '');
  const language = languageOf(context.req.raw);
  return {
    ...parts,
    language,
    words: controlWordsIn(language),
    section: SECTIONS.find((name) => name === query('section')) ?? 'payins',
    search: query('q'),
    status: query('status'),
    rail: query('rail'),
    from: day('from'),
    to: day('to'),
    openId: query('open'),
    page: /^[1-9]\d{0,4}$/.test(query('page')) ? Number(query('page')) : 1,
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
  requests: 'terminal',
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
    requests: view.requests.entries.length,
    mishaps: new Set([...engine.mishaps.everywhere, ...Object.keys(engine.mishaps.armed)]).size,
  };
  return html`<nav aria-label="${words.sectionsLabel}">
    <ul>
      ${SECTIONS.map((section) => {
        const current = section === view.section;
        const count = counts[section] ?? 0;
        return html`<li>
          <a
            href="${addressOf(view, { ...UNFILTERED, section, openId: '' })}"
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
    case 'requests':
      return listSection(view, view.section);
    case 'mishaps':
      return mishapsSection(view);
    case 'connection':
      return connectionSection(view);
    default:
      return view.section satisfies never;
  }
}
