/**
 * What a link's page does around the widget: the payer goes back to the shop at the end, and a link that ended
 * elsewhere says so.
 */
export const HOSTED_SCRIPT = /* js */ `
const { watch, back } = document.body.dataset;
const RETURN_MS = 8000;
let paid = false;

document.addEventListener('payin-confirmed', () => {
  paid = true;
  document.querySelector('[data-leave]')?.remove();
  if (!back) return;
  document.querySelector('[data-leaving]').hidden = false;
  setTimeout(() => location.assign(back), RETURN_MS);
});
// A page that comes back from the browser's memory shows old state.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

let over = false;
const look = async () => {
  let next = 1000;
  try {
    const answer = await fetch(watch, { cache: 'no-store' });
    const { status } = await answer.json();
    if (answer.ok && status !== 'PENDING' && !paid) {
      // Gives the widget time to show the end itself before the page reloads.
      if (over) return location.reload();
      over = true;
      next = 3000;
    }
  } catch {
    next = 4000;
  }
  if (!paid) setTimeout(look, document.hidden ? 5000 : next);
};
setTimeout(look, 1000);
`;
