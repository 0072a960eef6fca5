import { type MouseEvent, useState, useSyncExternalStore } from 'react';
import { addressOf, orderCoffee, type Place, readPlace } from '../one-product.js';
import coffee from '../shop/art/cafe-origen.svg';
// In your project: import { PayCheckout } from 'pay-checkout/react';
import { PayCheckout } from '../../src/react.js';

export function Shop() {
  const [{ view, order }, go] = usePlace();
  return (
    <>
      <nav className="tabs" aria-label="Secciones">
        <Tab to={{ view: 'product', order }} go={go} current={view === 'product'}>
          Producto
        </Tab>
        {order !== null && (
          <Tab to={{ view: 'pay', order }} go={go} current={view === 'pay'}>
            Pago
          </Tab>
        )}
      </nav>
      {view === 'pay' ? (
        <PayCheckout
          backend="/checkout"
          order={order}
          onCheckoutFinished={() => go({ view: 'product', order: null })}
        >
          <p>Cargando el pago…</p>
        </PayCheckout>
      ) : (
        <Coffee onOrder={(token) => go({ view: 'pay', order: token })} />
      )}
    </>
  );
}

function Coffee({ onOrder }: { onOrder: (token: string) => void }) {
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const buy = async () => {
    setBusy(true);
    try {
      onOrder(await orderCoffee());
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <section className="offer">
      <img src={coffee} alt="" width="288" height="216" />
      <h2>Café de origen</h2>
      <p>Huila, tueste medio. Bolsa de 500 g</p>
      <p className="price">$ 42.900</p>
      {trouble !== '' && (
        <p className="trouble" role="alert">
          {trouble}
        </p>
      )}
      <button className="button" type="button" disabled={busy} onClick={() => void buy()}>
        Comprar
      </button>
    </section>
  );
}

interface TabProps {
  readonly to: Place;
  readonly go: (place: Place) => void;
  readonly current: boolean;
  readonly children: string;
}

function Tab({ to, go, current, children }: TabProps) {
  const follow = (event: MouseEvent) => {
    event.preventDefault();
    go(to);
  };
  return (
    <a href={addressOf(to)} onClick={follow} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  );
}

/** A router of one page; use the one your application has. */
function usePlace(): [Place, (place: Place) => void] {
  // Not an effect: the payer may go back before effects run, and this looks again when it subscribes.
  useSyncExternalStore(subscribe, () => location.search);
  const go = (next: Place) => {
    history.pushState(null, '', addressOf(next));
    dispatchEvent(new PopStateEvent('popstate'));
  };
  return [readPlace(), go];
}

function subscribe(follow: () => void): () => void {
  addEventListener('popstate', follow);
  return () => removeEventListener('popstate', follow);
}
