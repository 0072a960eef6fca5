import { html } from 'hono/html';
import type { Language } from '../../look/words.js';
import { icon } from './icons.js';
import { facts, renderPage } from './layout.js';
import { ROOT } from './parts.js';
import type { Engine } from '../service/engine.js';
import type { LinkRecord } from '../service/state.js';
import { wordsIn } from './words.js';

interface HostedPage {
  readonly engine: Engine;
  readonly link: LinkRecord;
  readonly language: Language;
  /** Address of the script that defines `<pay-checkout>`. */
  readonly widget: string;
  readonly leavesTo: string | undefined;
}

export function timeOfDay(atMs: number, language: Language): string {
  return new Intl.DateTimeFormat(language === 'es' ? 'es-CO' : 'en', {
    timeStyle: 'short',
    timeZone: 'America/Bogota',
  }).format(atMs);
}

/** The page of a link, made of the widget. If its script does not load, a link leads to the plain form. */
export function hostedPage({ engine, link, language, widget, leavesTo }: HostedPage): Promise<Response> {
  const words = wordsIn(language);
  const other = language === 'es' ? 'en' : 'es';
  return renderPage({
    language,
    title: `${words.linkTitle} · ${words.sandbox}`,
    root: ROOT,
    style: 'page.css',
    script: 'hosted.js',
    widget,
    ...(leavesTo === undefined ? {} : { leavesTo }),
    body: html`<body
      data-watch="${link.id}/status"
      data-left-ms="${link.expiresAtMs - engine.clock.now()}"
      data-time-left="${words.timeLeft}"
      data-expires-in="${words.linkExpiresIn}"
      data-expires-soon="${words.linkExpiresSoon}"
      data-expired="${words.resultTitle.EXPIRED}"
      data-expired-lead="${words.resultLead.EXPIRED}"
    >
      <header class="test-strip">
        ${icon('flask')}<span><b>${words.testStrip}</b> ${words.testStripMore}</span>
      </header>
      <main class="payer">
        <h1 class="visually-hidden">${words.linkTitle}</h1>
        <div class="link-facts">
          ${facts([
            [words.merchant, engine.merchant],
            [words.reference, link.reference],
            [
              words.linkExpiry,
              html`<span data-left>${words.linkExpiryAt(timeOfDay(link.expiresAtMs, language))}</span>`,
            ],
          ])}
        </div>
        <pay-checkout
          class="hosted"
          backend="${link.id}/checkout"
          order="${link.id}"
          locale="${language}"
          ${link.bank === null ? '' : html`bank="${link.bank}"`}
          ${leavesTo === undefined ? '' : html`finish-url="${leavesTo}"`}
        >
          <a class="button ghost wide" href="?plain&amp;lang=${language}">${words.plainPage}</a>
        </pay-checkout>
        <p class="foot">
          ${leavesTo === undefined ? '' : html`<a data-leave href="${leavesTo}">${words.leave}</a>`}
          <a href="${ROOT}">${words.controlPage}</a>
          <a href="?lang=${other}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a>
        </p>
      </main>
    </body>`,
  });
}
