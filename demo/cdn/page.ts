import { find } from '../page-kit.js';
import { addressOf, orderCoffee, type Place, readPlace } from '../one-product.js';

const toProduct = find<HTMLAnchorElement>('#to-product');
const toPay = find<HTMLAnchorElement>('#to-pay');

function show(place: Place): void {
  const { view, order } = place;
  const content = find<HTMLTemplateElement>(`#${view}`).content.cloneNode(true) as DocumentFragment;
  if (view === 'pay') {
    // An attribute works before the script has arrived, and after.
    find('pay-checkout', content).setAttribute('order', order ?? '');
  } else {
    const button = find<HTMLButtonElement>('button', content);
    button.addEventListener('click', () => void buy(button));
  }
  find('#view').replaceChildren(content);

  toProduct.href = addressOf({ view: 'product', order });
  toPay.href = addressOf({ view: 'pay', order });
  toPay.hidden = order === null;
  (view === 'pay' ? toProduct : toPay).removeAttribute('aria-current');
  (view === 'pay' ? toPay : toProduct).setAttribute('aria-current', 'page');
}

function go(place: Place): void {
  history.pushState(null, '', addressOf(place));
  show(place);
}

async function buy(button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  try {
    go({ view: 'pay', order: await orderCoffee() });
  } catch (error) {
    const trouble = find('.trouble');
    trouble.textContent = error instanceof Error ? error.message : String(error);
    trouble.hidden = false;
    button.disabled = false;
  }
}

for (const link of [toProduct, toPay]) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    go(readPlace(new URL(link.href)));
  });
}
// The payer pressed the last button of the receipt.
find('#view').addEventListener('checkout-finished', () => go({ view: 'product', order: null }));
addEventListener('popstate', () => show(readPlace()));
show(readPlace());
