/**
 * What a link's page does around the widget: the time that is left is the link's, the receipt stays until the payer
 * leaves it, and a link that ended elsewhere says so.
 */
export const HOSTED_SCRIPT = /* js */ `
const { watch, leftMs, timeLeft, expiresIn, expiresSoon, expired, expiredLead } = document.body.dataset;
let paid = false;

document.addEventListener('payin-confirmed', () => {
  paid = true;
  document.querySelector('[data-leave]')?.remove();
  document.querySelector('.link-facts')?.remove();
});

// What the widget calls the key's expiry is the link's here.
customElements.whenDefined('pay-checkout').then(() => {
  document.querySelector('pay-checkout').messages = {
    expiresIn: (time) => expiresIn.replace('{time}', time),
    expiresSoon: (minutes) => expiresSoon.replace('{minutes}', minutes),
    lapsedTitle: expired,
    lapsedLead: expiredLead,
  };
});

// By the server's clock: the page knows when it came, and how long was left then.
const left = document.querySelector('[data-left]');
const count = () => {
  const seconds = Math.max(0, Math.round((leftMs - performance.now()) / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  left.textContent = timeLeft.replace('{time}', [first, ...rest.map((part) => String(part).padStart(2, '0'))].join(':'));
  if (left.isConnected && seconds > 0) setTimeout(count, 1000);
};
count();

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
