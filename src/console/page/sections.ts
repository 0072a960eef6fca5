import { html as staticHtml, unsafeStatic } from 'lit/static-html.js';
import { ConsoleChart } from './charts/chart.js';
import { ConsoleHealth } from './screens/health.js';
import { PageCopy } from '../../look/parts/copy.js';
import { ConsoleNote } from './note.js';
import type { Content } from '../../look/parts/parts.js';
import type { Route, Section } from './route.js';
import type { Shell } from './screen.js';
import { ConsoleAttempts } from './screens/attempts.js';
import { ConsoleLinkForm } from './screens/link-form.js';
import { ConsoleLinkPoster } from './screens/link-poster.js';
import { ConsoleLink } from './screens/link.js';
import { ConsoleLinks } from './screens/links.js';
import { ConsoleOrder } from './screens/order.js';
import { ConsoleOverview } from './screens/overview.js';
import { ConsolePayin } from './screens/payin.js';
import { ConsolePayins } from './screens/payins.js';
import { ConsolePayoutForm } from './screens/payout-form.js';
import { ConsolePayout } from './screens/payout.js';
import { ConsolePayouts } from './screens/payouts.js';
import { ConsoleReconcile } from './screens/reconcile.js';
import { ConsoleReview } from './screens/review.js';
import { ConsoleSignIn } from './screens/sign-in.js';

/** What the menu offers, in a shop owner's words, and which element shows which section. */

export const GROUPS = [
  { name: 'sales', sections: ['overview', 'attempts'] },
  { name: 'review', sections: ['review'] },
  { name: 'links', sections: ['links'] },
  { name: 'out', sections: ['payouts'] },
  { name: 'technical', sections: ['payins', 'reconcile'] },
] as const satisfies readonly { readonly name: string; readonly sections: readonly Section[] }[];

export type Group = (typeof GROUPS)[number];

/** The menu entry of a section; an order's page belongs to the sales. */
export function groupOf(section: Section): Group {
  const found = GROUPS.find(({ sections }) => sections.some((each) => each === section));
  return found ?? GROUPS[0];
}

const SCREENS = {
  'console-chart': ConsoleChart,
  'console-health': ConsoleHealth,
  'page-copy': PageCopy,
  'console-note': ConsoleNote,
  'console-sign-in': ConsoleSignIn,
  'console-overview': ConsoleOverview,
  'console-review': ConsoleReview,
  'console-attempts': ConsoleAttempts,
  'console-reconcile': ConsoleReconcile,
  'console-payins': ConsolePayins,
  'console-payin': ConsolePayin,
  'console-payouts': ConsolePayouts,
  'console-payout': ConsolePayout,
  'console-payout-form': ConsolePayoutForm,
  'console-links': ConsoleLinks,
  'console-link': ConsoleLink,
  'console-link-form': ConsoleLinkForm,
  'console-link-poster': ConsoleLinkPoster,
  'console-order': ConsoleOrder,
} as const;

export function defineScreens(): void {
  for (const [name, element] of Object.entries(SCREENS)) {
    if (customElements.get(name) === undefined) customElements.define(name, element);
  }
}

export function screenOf(shell: Shell, route: Route, pulse: number): Content {
  const tag = unsafeStatic(tagOf(route));
  return staticHtml`<${tag} .shell=${shell} .route=${route} .pulse=${pulse}></${tag}>`;
}

function tagOf({ section, id, query }: Route): keyof typeof SCREENS {
  switch (section) {
    case 'overview':
    case 'review':
    case 'attempts':
    case 'reconcile':
      return `console-${section}`;
    case 'payins':
      return id === '' ? 'console-payins' : 'console-payin';
    case 'payouts':
      if (id === '') return 'console-payouts';
      return id === 'new' ? 'console-payout-form' : 'console-payout';
    case 'links':
      if (id === '') return 'console-links';
      if (id === 'new') return 'console-link-form';
      return query.get('view') === 'poster' ? 'console-link-poster' : 'console-link';
    case 'orders':
      return id === '' ? 'console-attempts' : 'console-order';
    default:
      throw new TypeError(`Unknown section: ${String(section satisfies never)}`);
  }
}
