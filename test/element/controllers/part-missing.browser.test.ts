import { aTimeout, expect } from '@open-wc/testing';
import { withReturnId } from '../../../src/contract/return-address.js';
import { Chunk } from '../../../src/element/opening/chunk.js';
import { BasicChunk, PayingChunk } from '../../../src/element/opening/chunks.js';
import { PseChunk } from '../../../src/element/paying/chunks.js';
import { offer, pse } from '../../machine/fixtures.js';
import { CannedTransport } from '../support/canned-transport.js';
import { Payer, clearPage, instead } from '../support/harness.js';

afterEach(clearPage);

type Loads = (this: Chunk<object>) => Promise<object>;

/** Files that come when `arrive` is called, or are lost when `lose` is; both end when the page has taken it. */
class Late {
  readonly #underWay: Promise<object>[] = [];
  #arrive!: () => void;
  #lose!: () => void;

  constructor(isLate: (chunk: Chunk<object>) => boolean) {
    const { load } = Chunk.prototype;
    const line = new Promise<void>((resolve, reject) => {
      this.#arrive = resolve;
      this.#lose = () => reject(new TypeError('a file was lost'));
    });
    const underWay = this.#underWay;
    const loads: Loads = function () {
      if (!isLate(this)) return load.call(this);
      const loading = line.then((): Promise<object> => load.call(this));
      underWay.push(loading);
      return loading;
    };
    instead(Chunk.prototype, 'load', loads);
  }

  get asked(): number {
    return this.#underWay.length;
  }

  arrive(): Promise<void> {
    this.#arrive();
    return this.#settled();
  }

  lose(): Promise<void> {
    this.#lose();
    return this.#settled();
  }

  async #settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    // real time: a task of the page's own follows what the promises led to
    await aTimeout(0);
  }
}

/** Files that the page cannot fetch until `arrives` is called; by default all. */
function lost(isLost: (chunk: Chunk<object>) => boolean = () => true): { arrive(): void; asked: number } {
  const { load } = Chunk.prototype;
  const network = { isDown: true, asked: 0, arrive: () => void (network.isDown = false) };
  const loads: Loads = function () {
    if (!network.isDown || !isLost(this)) return load.call(this);
    network.asked += 1;
    return Promise.reject(new TypeError('a file was lost'));
  };
  instead(Chunk.prototype, 'load', loads);
  return network;
}

const isOfOneMethod = (chunk: Chunk<object>) =>
  !(chunk instanceof PayingChunk) && !(chunk instanceof BasicChunk);
const isOfPse = (chunk: Chunk<object>) => chunk instanceof PseChunk;
const isOfBreB = (chunk: Chunk<object>) => isOfOneMethod(chunk) && !isOfPse(chunk);

describe('a file that does not arrive', () => {
  it('is nothing to speak of while the payer only reads, and asks to reload once it is needed', async () => {
    const network = lost();
    const payer = Payer.arrives();
    await payer.sees('¿Cómo quieres pagar?');
    await payer.until(() => network.asked > 0);
    expect(payer.element.phase).to.equal('choosing');

    await payer.press('Pagar con Bre-B');
    await payer.sees('No se pudo cargar el siguiente paso');
    expect(payer.can('Recargar la página')).to.equal(true);
    expect(payer.backend.created).to.deep.equal([]);
  });

  it('is asked for again when the network is back, and the payer starts where they were', async () => {
    const network = lost();
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.sees('No se pudo cargar el siguiente paso');
    network.arrive();
    dispatchEvent(new Event('online'));
    await payer.sees('¿Cómo quieres pagar?');
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    expect(payer.backend.created).to.have.length(1);
  });

  it('lets nobody be charged whose key could not be shown', async () => {
    lost(isOfOneMethod);
    const payer = Payer.arrives();
    await payer.press('Pagar con Bre-B');
    await payer.sees('No se pudo cargar el siguiente paso');
    expect(payer.backend.created).to.deep.equal([]);
  });

  it('stays missing when what another method needs arrives', async () => {
    const other = new Late(isOfBreB);
    lost(isOfPse);
    const payer = Payer.arrives();
    await payer.until(() => other.asked > 0);
    await payer.press('PSE');
    await payer.press('Continuar');
    await payer.sees('No se pudo cargar el siguiente paso');
    await other.arrive();
    expect(payer.element.phase).to.equal('failed');
  });

  it('of another method leaves the payer the one that they chose', async () => {
    const other = new Late(isOfBreB);
    const chosen = new Late(isOfPse);
    const payer = Payer.arrives();
    await payer.until(() => other.asked > 0);
    await payer.press('PSE');
    await payer.press('Continuar');
    await other.lose();
    await chosen.arrive();
    await payer.reaches('details');
  });

  it('is asked for too where a payment that was declined is tried again', async () => {
    lost(isOfOneMethod);
    const payer = Payer.arrives();
    payer.backend.offered = offer({ attempt: pse({ status: 'DECLINED' }) });
    await payer.press('Intentar de nuevo');
    await payer.sees('No se pudo cargar el siguiente paso');
    expect(payer.backend.created).to.deep.equal([]);
  });

  it('asks a payer to reload who comes back from the bank', async () => {
    lost();
    const backend = new CannedTransport();
    backend.tell(pse());
    history.replaceState(null, '', withReturnId(location.href, { kind: 'PAYIN', id: 'pse-1' }));
    const payer = Payer.arrives({ transport: backend });
    await payer.sees('No se pudo cargar el siguiente paso');
    expect(payer.can('Recargar la página')).to.equal(true);
    expect(location.search).to.contain('pay-return');
  });
});
