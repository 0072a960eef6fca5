import { expect } from '@open-wc/testing';
import { LitElement, type PropertyValues, type ReactiveController } from 'lit';
import { html } from 'lit/html.js';
import { BaseElement } from '../../src/element/base-element.js';

const properties = {
  plain: {},
  renamed: { attribute: 're-named' },
  hidden: { attribute: false },
  count: { type: Number },
  open: { type: Boolean, reflect: true },
} as const;

interface Probe extends HTMLElement {
  plain: unknown;
  renamed: unknown;
  count: unknown;
  open: unknown;
  readonly log: string[];
  readonly updateComplete: Promise<boolean>;
  requestUpdate(): void;
  addController(controller: ReactiveController): void;
}

/** The same class on either base, keeping a diary. */
function probeOf(Base: typeof BaseElement | typeof LitElement, tag: string): void {
  abstract class Common extends (Base as typeof LitElement) {
    static override readonly properties = properties;
    readonly log: string[] = [];

    protected override willUpdate(changed: PropertyValues): void {
      this.log.push(`will ${[...changed].map(([name, was]) => `${String(name)} was ${String(was)}`).join()}`);
    }
    protected override render(): unknown {
      if (Reflect.get(this, 'plain') === 'broken') throw new Error('broken');
      return html`${Reflect.get(this, 'plain')} ${Reflect.get(this, 'count')}`;
    }
    protected override updated(): void {
      this.log.push(`drew ${this.renderRoot.textContent}`);
    }
  }
  customElements.define(tag, class extends Common {});
}

const bases = [
  ['probe-base', BaseElement],
  ['probe-lit', LitElement],
] as const;

describe('the base of the element', () => {
  before(() => {
    // Made and given a value before there is a class for it.
    for (const [tag] of bases) {
      const early = document.createElement(tag) as Probe;
      early.id = `early-${tag}`;
      early.plain = 'early';
      early.setAttribute('count', '7');
      document.body.append(early);
    }
    for (const [tag, Base] of bases) probeOf(Base, tag);
  });

  after(() => {
    for (const [tag] of bases) document.querySelectorAll(tag).forEach((probe) => probe.remove());
  });

  /** What each of the two goes through; both must tell the same. */
  async function same(story: (probe: Probe, tag: string) => Promise<unknown>): Promise<unknown> {
    const told: unknown[] = [];
    for (const [tag] of bases) told.push(await story(document.createElement(tag) as Probe, tag));
    expect(told[0]).to.deep.equal(told[1]);
    return told[0];
  }

  it('takes what was set before it was defined', async () => {
    const told = await same(async (_, tag) => {
      const early = document.getElementById(`early-${tag}`) as Probe;
      await early.updateComplete;
      return [early.log, early.plain, early.count];
    });
    expect(told).to.deep.include('early');
  });

  it('reads attributes as Lit does, and writes back only what reflects', async () => {
    await same(async (probe) => {
      probe.setAttribute('plain', 'a');
      probe.setAttribute('re-named', 'b');
      probe.setAttribute('hidden', '');
      probe.setAttribute('count', '12');
      probe.setAttribute('open', '');
      document.body.append(probe);
      await probe.updateComplete;
      const read = [probe.plain, probe.renamed, probe.count, probe.open];
      probe.removeAttribute('count');
      probe.open = false;
      probe.plain = 'c';
      await probe.updateComplete;
      return [read, probe.count, probe.hasAttribute('open'), probe.getAttribute('plain'), probe.log];
    });
  });

  it('draws once for many changes, nothing before it is on a page, and nothing for the same value', async () => {
    const told = await same(async (probe) => {
      probe.plain = 1;
      probe.plain = 2;
      probe.count = 3;
      await Promise.resolve();
      probe.log.push('appended');
      document.body.append(probe);
      await probe.updateComplete;
      probe.plain = 2;
      await probe.updateComplete;
      return probe.log;
    });
    expect(told).to.deep.equal(['appended', 'will plain was undefined,count was undefined', 'drew 2 3']);
  });

  it('tells controllers in the same order', async () => {
    await same(async (probe) => {
      const { log } = probe;
      const controller: ReactiveController = {
        hostConnected: () => log.push('connected'),
        hostUpdate: () => log.push('update'),
        hostUpdated: () => log.push('updated'),
        hostDisconnected: () => log.push('disconnected'),
      };
      probe.addController(controller);
      document.body.append(probe);
      await probe.updateComplete;
      probe.remove();
      document.body.append(probe);
      probe.addController({ hostConnected: () => log.push('late') });
      probe.requestUpdate();
      await probe.updateComplete;
      return log;
    });
  });

  it('goes on after a drawing that failed', async () => {
    await same(async (probe) => {
      document.body.append(probe);
      await probe.updateComplete;
      probe.plain = 'broken';
      const error = await probe.updateComplete.catch(String);
      probe.plain = 'mended';
      return [error, await probe.updateComplete, probe.log];
    });
  });
});
