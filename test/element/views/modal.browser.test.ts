import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse, resetMouse } from '@web/test-runner-commands';
import { paid, pse } from '../../machine/fixtures.js';
import { Payer, clearPage } from '../support/harness.js';

describe('a modal checkout', () => {
  let opener: HTMLButtonElement;

  beforeEach(() => {
    opener = document.createElement('button');
    opener.textContent = 'Pagar';
    document.body.append(opener);
  });
  afterEach(async () => {
    await resetMouse();
    clearPage();
    opener.remove();
  });

  /** A payer who pressed "Pagar" on the page. */
  async function opened(): Promise<Payer> {
    const payer = Payer.arrives({ modal: true });
    opener.focus();
    payer.element.show();
    await payer.reaches('choosing');
    await payer.sees('¿Cómo quieres pagar?');
    return payer;
  }

  /** A payer with an open payment. */
  async function paying(): Promise<Payer> {
    const payer = await opened();
    await payer.press('Pagar con Bre-B');
    await payer.reaches('paying');
    await payer.sees('@tienda123');
    return payer;
  }

  it('asks nothing of the backend and shows nothing before it is opened', async () => {
    const payer = Payer.arrives({ modal: true });
    await payer.until(() => payer.element.shadowRoot!.querySelector('dialog'));

    expect(payer.can('Cerrar')).to.be.false;
    expect(payer.backend.offersAsked).to.be.empty;
    expect(payer.element.phase).to.equal('idle');
    expect(payer.element.getBoundingClientRect().height).to.equal(0);
  });

  it('reads the order ahead of time when the page starts it', async () => {
    const payer = Payer.arrives({ modal: true });
    await payer.element.updateComplete;
    payer.element.start();
    await payer.reaches('choosing');

    expect(payer.inDialog).to.be.false;
    expect(payer.backend.offersAsked).to.deep.equal(['A-1042']);
  });

  it('is a native dialog with the name of who is paid, and takes the focus in', async () => {
    const payer = await opened();

    expect(payer.dialog.matches(':modal')).to.be.true;
    expect(payer.dialog.getAttribute('aria-label')).to.equal('Pago a Tienda');
    expect(document.activeElement).to.equal(payer.element);
    expect(payer.element.open).to.be.true;
    expect(payer.element.hasAttribute('open')).to.be.true;
  });

  it('opens and closes by the attribute too', async () => {
    const payer = Payer.arrives({ modal: true });
    payer.element.setAttribute('open', '');
    await payer.reaches('choosing');
    await payer.sees('¿Cómo quieres pagar?');

    payer.element.removeAttribute('open');
    await payer.hears('checkout-closed');
    expect(payer.inDialog).to.be.false;
  });

  it('closes at once by its button where nothing is open, and gives the focus back', async () => {
    const payer = await opened();
    await payer.press('Cerrar');
    await payer.hears('checkout-closed');

    expect(payer.inDialog).to.be.false;
    expect(document.activeElement).to.equal(opener);
    expect(payer.heard('checkout-closed')).to.have.length(1);
  });

  it('closes at once by Escape where nothing is open', async () => {
    const payer = await opened();
    await sendKeys({ press: 'Escape' });
    await payer.hears('checkout-closed');

    expect(payer.element.open).to.be.false;
  });

  it('asks before an open payment is left by Escape, and stays on the safe answer', async () => {
    const payer = await paying();
    await sendKeys({ press: 'Escape' });
    await payer.sees('¿Cerrar el pago?');

    expect(payer.focus).to.equal('Seguir aquí');
    await sendKeys({ press: 'Enter' });
    await payer.sees('@tienda123');
    expect(payer.element.open).to.be.true;
    expect(payer.heard('checkout-closed')).to.be.empty;
  });

  it('takes a second Escape as staying', async () => {
    const payer = await paying();
    await sendKeys({ press: 'Escape' });
    await payer.sees('¿Cerrar el pago?');
    await sendKeys({ press: 'Escape' });
    await payer.sees('@tienda123');

    expect(payer.element.open).to.be.true;
    await payer.press('Cerrar');
    await payer.sees('¿Cerrar el pago?');
  });

  it('goes on watching a payment that was left, and shows it when it is opened again', async () => {
    const payer = await paying();
    await payer.press('Cerrar');
    await payer.sees('¿Cerrar el pago?');
    await payer.press('Cerrar');
    await payer.hears('checkout-closed');
    expect(payer.inDialog).to.be.false;

    payer.backend.tell(paid(payer.element.payin!));
    await payer.hears('payin-confirmed');
    payer.element.show();
    await payer.sees('Pago aprobado');
    expect(payer.backend.offersAsked).to.have.length(1);
  });

  it('asks nothing once the payment is over', async () => {
    const payer = await paying();
    payer.backend.tell(paid(payer.element.payin!));
    await payer.sees('Pago aprobado');
    await sendKeys({ press: 'Escape' });
    await payer.hears('checkout-closed');

    expect(payer.inDialog).to.be.false;
  });

  it('takes its question back when the payment is approved meanwhile, and reading goes on at the receipt', async () => {
    const payer = await paying();
    await payer.press('Cerrar');
    await payer.sees('¿Cerrar el pago?');
    payer.backend.tell(paid(payer.element.payin!));
    await payer.sees('Pago aprobado');

    expect(payer.text).not.to.contain('¿Cerrar el pago?');
    expect(payer.focus).to.equal('Pago aprobado');
    expect(payer.told).to.contain('recibió tu pago');
    await payer.press('Cerrar');
    await payer.hears('checkout-closed');
  });

  it('leaves the page where it is when the bank’s address comes after it was closed', async () => {
    const payer = await opened();
    const waiting = pse({ sourceData: null });
    payer.backend.creates = () => waiting;
    payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
    await payer.goesToBank();
    await payer.reaches('preparing');
    payer.element.close();
    await payer.hears('checkout-closed');

    payer.backend.tell(pse({ version: 'v2' }));
    await payer.reaches('pending');
    expect(payer.heard('checkout-redirect')).to.be.empty;
    payer.element.show();
    await payer.press('Volver a mi banco');
    await payer.hears('checkout-redirect');
  });

  it('closes when the last button is pressed', async () => {
    const payer = await paying();
    payer.backend.tell(paid(payer.element.payin!));
    await payer.press('Volver a la tienda');
    await payer.hears('checkout-closed');

    expect(payer.heard('checkout-finished', 'checkout-closed')).to.deep.equal([
      'checkout-finished',
      'checkout-closed',
    ]);
  });

  it('may be closed while a payment is being created, and has it when it is opened again', async () => {
    const payer = await opened();
    payer.backend.hold();
    await payer.press('Pagar con Bre-B');
    await payer.reaches('creating');
    payer.element.close();
    await payer.hears('checkout-closed');

    payer.backend.release();
    await payer.reaches('paying');
    expect(payer.inDialog).to.be.false;
    payer.element.show();
    await payer.sees('@tienda123');
    expect(payer.backend.created).to.have.length(1);
  });

  it('stays a dialog when it is moved in the page', async () => {
    const payer = await opened();
    const place = document.createElement('div');
    document.body.append(place);
    place.append(payer.element);
    await payer.sees('¿Cómo quieres pagar?');
    await payer.element.updateComplete;

    expect(payer.dialog.matches(':modal')).to.be.true;
    expect(payer.element.open).to.be.true;
    expect(payer.heard('checkout-closed')).to.be.empty;
    place.remove();
  });

  describe('pressed outside', () => {
    it('closes where nothing is open', async () => {
      const payer = await opened();
      await sendMouse({ type: 'click', position: outside(payer) });
      await payer.hears('checkout-closed');
    });

    it('asks first where a payment is open', async () => {
      const payer = await paying();
      await sendMouse({ type: 'click', position: outside(payer) });
      await payer.sees('¿Cerrar el pago?');

      expect(payer.element.open).to.be.true;
    });

    it('tells its own edge from what is around it, on every side', async () => {
      const payer = await opened();
      const { left, right, top, bottom } = payer.dialog.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const press = (clientX: number, clientY: number, more: PointerEventInit = {}) => {
        for (const type of ['pointerdown', 'pointerup'])
          payer.dialog.dispatchEvent(
            new PointerEvent(type, { clientX, clientY, isPrimary: true, button: 0, ...more }),
          );
        const isOpen = payer.element.open;
        payer.element.open = true;
        return isOpen;
      };
      for (const edge of [
        [left, y],
        [right, y],
        [x, top],
        [x, bottom],
      ] as const)
        expect(press(...edge), `${edge.join()} is its own`).to.equal(true);
      for (const beyond of [
        [left - 1, y],
        [right + 1, y],
        [x, top - 1],
        [x, bottom + 1],
      ] as const)
        expect(press(...beyond), `${beyond.join()} is around it`).to.equal(false);
      expect(press(left - 1, y, { button: 2 }), 'another button').to.equal(true);
      expect(press(left - 1, y, { isPrimary: false }), 'a second finger').to.equal(true);
    });

    for (const [name, from, to] of [
      ['out of it', inside, outside],
      ['into it', outside, inside],
    ] as const) {
      it(`stays when the press is a drag ${name}`, async () => {
        const payer = await opened();
        await sendMouse({ type: 'move', position: from(payer) });
        await sendMouse({ type: 'down' });
        await sendMouse({ type: 'move', position: to(payer) });
        await sendMouse({ type: 'up' });
        await payer.element.updateComplete;

        expect(payer.element.open).to.be.true;
      });
    }
  });
});

function outside(payer: Payer): [number, number] {
  const { left, top } = payer.dialog.getBoundingClientRect();
  return [Math.round(left / 2), Math.round(top / 2)];
}

function inside(payer: Payer): [number, number] {
  const { left, top, width } = payer.dialog.getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + 60)];
}
