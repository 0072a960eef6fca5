/**
 * What every measured page does alike: mounts as many checkouts as the address asks for and says on the console when
 * the first of them shows a screen. A screen is looked for once a frame, and counts from the frame after it was painted.
 *
 * A page gives `mount(place, order)`, which returns how to remove the checkout again, and for each screen how to find
 * the element that makes it one: `first` (the button to press), `code` (the picture to scan) and `outcome`.
 */
const SCREENS = ['first', 'code', 'outcome'];

export async function show({ mount, ...find }) {
  const asked = new URLSearchParams(location.search).get('count');
  const count = Number(asked ?? 1);
  const orders = document.querySelector('meta[name="orders"]').content.split(' ');
  const places = [document.querySelector('#checkout')];
  while (places.length < count) {
    const place = document.createElement('div');
    places.at(-1).after(place);
    places.push(place);
  }
  const removals = [];
  globalThis.bench = {
    button: () => find.first(places[0]),
    shown: () => places.filter((place) => isVisible(find.first(place))).length,
    async mount() {
      const mounted = places.map((place, index) => mount(place, orders[index % orders.length]));
      removals.push(...(await Promise.all(mounted)));
    },
    remove() {
      for (const remove of removals.splice(0)) remove();
      for (const place of places) place.replaceChildren();
    },
  };
  // Where many are asked for they are mounted when the measurement says so, to see what they add.
  if (asked !== null) return;
  watch(0);
  await bench.mount();

  function watch(index) {
    const screen = SCREENS[index];
    if (screen === undefined) return;
    requestAnimationFrame(() => {
      if (!isVisible(find[screen](places[0]))) return watch(index);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        console.debug(`bench ${screen} ${performance.now()}`);
        port1.close();
        // The next screen is looked for once something happens: waiting must cost what it costs without us.
        const next = () => watch(index + 1);
        if (screen === 'first') addEventListener('click', next, { capture: true, once: true });
        else globalThis.bench.watchOutcome = next;
      };
      port2.postMessage(null);
    });
  }
}

function isVisible(element) {
  if (!element) return false;
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}

/** Looks through open shadow roots, one step after the other. */
export function deep(root, ...selectors) {
  let found = root;
  for (const selector of selectors) found = (found?.shadowRoot ?? found)?.querySelector(selector);
  return found;
}
