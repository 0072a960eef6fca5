/**
 * What script adds to the payer's pages, all of which work without it: copying, one submit per form, and news
 * without a reload by hand.
 */
export const PAYER_SCRIPT = /* js */ `
const { watch, status, copied, copyFailed } = document.body.dataset;

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  const label = button.querySelector('[data-label]') ?? button;
  const before = label.textContent;
  let timer;
  button.addEventListener('click', async () => {
    let done = false;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      done = true;
    } catch {
      // Not allowed here (no TLS, an in-app browser): saying "copied" would be a lie.
    }
    label.textContent = done ? copied : copyFailed;
    button.classList.toggle('done', done);
    if (!done) selectText(document.getElementById(button.dataset.of));
    clearTimeout(timer);
    timer = setTimeout(() => {
      label.textContent = before;
      button.classList.remove('done');
    }, 2500);
  });
}

function selectText(element) {
  if (element) getSelection().selectAllChildren(element);
}

let sent = false;
for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
}
// A page that comes back from the browser's memory shows old state, and its forms were already sent.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

if (watch) {
  const look = async () => {
    let next = 1000;
    try {
      const answer = await fetch(watch, { cache: 'no-store' });
      if (answer.ok && (await answer.json()).status !== status && !sent) return location.reload();
    } catch {
      next = 4000;
    }
    setTimeout(look, document.hidden ? 5000 : next);
  };
  setTimeout(look, 1000);
}
`;
