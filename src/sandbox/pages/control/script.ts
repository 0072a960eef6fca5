/**
 * Keeps the control page alive: when the sandbox changed, the page is fetched again and only what differs is
 * replaced, so that focus, typing and scrolling survive. Links and forms go the same way, without a reload.
 */
export const CONTROL_SCRIPT = /* js */ `
// The only HTML that enters the page is the page itself, drawn and escaped by the sandbox at this origin.
const policy = window.trustedTypes?.createPolicy('sandbox-page', { createHTML: (text) => text });
const parse = (text) => new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, 'text/html');

let turn = 0;

async function visit(address, options, history) {
  const mine = ++turn;
  const answer = await fetch(address, { ...options, headers: { accept: 'text/html' } });
  const next = parse(await answer.text());
  // A newer click was answered first, or this is no page of ours.
  if (mine !== turn || !next.body.dataset.revision) return;
  if (history === 'push' && answer.url !== location.href) window.history.pushState(null, '', answer.url);
  if (history === 'replace') window.history.replaceState(null, '', answer.url);
  document.title = next.title;
  document.documentElement.lang = next.documentElement.lang;
  morph(document.body, next.body);
  wake();
}

/** Makes one element like another. Children are matched by their key where they have one, else by place. */
function morph(now, next) {
  const offered = now.getAttribute('value') !== next.getAttribute('value');
  const chosen = now.hasAttribute('selected') !== next.hasAttribute('selected');
  for (const { name } of [...now.attributes]) if (!next.hasAttribute(name)) now.removeAttribute(name);
  for (const { name, value } of next.attributes) {
    if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  }
  // Keep what somebody is typing or choosing.
  if (now instanceof HTMLSelectElement && now === document.activeElement) return;
  if (now instanceof HTMLInputElement && offered && now !== document.activeElement) now.value = next.value;
  if (now instanceof HTMLOptionElement && chosen) now.selected = next.selected;
  const keyed = new Map();
  for (const child of now.children) if (child.dataset?.key) keyed.set(child.dataset.key, child);
  let place = now.firstChild;
  for (const wanted of [...next.childNodes]) {
    const key = wanted.dataset?.key;
    const candidate = key ? keyed.get(key) : place;
    if (candidate && alike(candidate, wanted)) {
      if (candidate === place) place = place.nextSibling;
      else now.insertBefore(candidate, place);
      if (wanted.nodeType === Node.ELEMENT_NODE) morph(candidate, wanted);
      else if (candidate.nodeValue !== wanted.nodeValue) candidate.nodeValue = wanted.nodeValue;
    } else {
      now.insertBefore(document.adoptNode(wanted), place);
    }
  }
  while (place) {
    const rest = place.nextSibling;
    place.remove();
    place = rest;
  }
}

function alike(one, other) {
  return (
    one.nodeType === other.nodeType &&
    one.nodeName === other.nodeName &&
    (one.dataset?.key ?? '') === (other.dataset?.key ?? '') &&
    (one.id ?? '') === (other.id ?? '')
  );
}

/** Buttons that need this script are hidden in the page as drawn. */
function wake() {
  for (const button of document.querySelectorAll('[data-copy][hidden]')) button.hidden = false;
  for (const button of document.querySelectorAll('.no-script')) button.hidden = true;
}

const inside = (href) => {
  const url = new URL(href, location.href);
  return url.origin === location.origin && url.pathname === location.pathname;
};

document.addEventListener('click', async (event) => {
  const copy = event.target.closest('[data-copy]');
  if (copy) return copyFrom(copy);
  const link = event.target.closest('a[href]');
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.target || link.hash || !inside(link.href)) return;
  event.preventDefault();
  const opens = link.classList.contains('row-link');
  const leaves = link.matches('.detail .back, .detail .close');
  const opened = document.querySelector('.detail')?.dataset.key;
  await attempt(() => visit(link.href, {}, 'push'));
  // On a narrow screen the panel takes the list's place, so the focus goes with it, and back.
  if (opens && getComputedStyle(document.querySelector('.listing')).display === 'none') {
    document.getElementById('detail-title')?.focus();
    scrollTo(0, 0);
  }
  if (leaves) document.querySelector('li[data-key="' + CSS.escape(opened) + '"] a')?.focus();
});

document.addEventListener('submit', async (event) => {
  const form = event.target;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  if (form.method === 'get') return attempt(() => visit('?' + fields, {}, 'replace'));
  if (form.dataset.sending) return;
  form.dataset.sending = 'true';
  await attempt(() => visit(form.action, { method: 'POST', body: fields }, 'push'));
  delete form.dataset.sending;
  if (form.isConnected && form.querySelector('[name=do]')?.value === 'webhook-add') form.reset();
});

let typing;
document.addEventListener('input', (event) => {
  const form = event.target.closest('form[data-live]');
  if (!form) return;
  clearTimeout(typing);
  typing = setTimeout(() => form.requestSubmit(), event.target.type === 'search' ? 150 : 0);
});

document.addEventListener('keydown', (event) => {
  const typingNow = event.target.closest('input, select, textarea');
  if (event.key === '/' && !typingNow && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const search = document.getElementById('q');
    if (search) {
      event.preventDefault();
      search.focus();
    }
  }
  if (event.key === 'Escape' && !typingNow) document.querySelector('.detail .close')?.click();
});

addEventListener('popstate', () => attempt(() => visit(location.href, {}, 'none')));

async function copyFrom(button) {
  const label = button.querySelector('[data-label]');
  const before = label.textContent;
  let done = true;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    done = false;
  }
  label.textContent = done ? document.body.dataset.copied : document.body.dataset.copyFailed;
  label.classList.remove('visually-hidden');
  button.classList.toggle('done', done);
  setTimeout(() => {
    label.textContent = before;
    label.classList.add('visually-hidden');
    button.classList.remove('done');
  }, 1800);
}

async function attempt(work) {
  try {
    await work();
    showLive(true);
  } catch {
    showLive(false);
  }
}

let liveText;
function showLive(live) {
  const state = document.querySelector('[data-live-state]');
  const label = state.querySelector('[data-label]');
  state.classList.toggle('off', !live);
  if (!live && label.textContent !== document.body.dataset.notLive) {
    liveText = label.textContent;
    label.textContent = document.body.dataset.notLive;
  } else if (live && liveText && label.textContent === document.body.dataset.notLive) {
    label.textContent = liveText;
  }
}

const EVERY_MS = 1000;
async function watch() {
  if (!document.hidden) {
    await attempt(async () => {
      const answer = await fetch('revision' + location.search, { cache: 'no-store' });
      const { revision } = await answer.json();
      if (String(revision) !== document.body.dataset.revision) await visit(location.href, {}, 'none');
    });
  }
  setTimeout(watch, EVERY_MS);
}
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) attempt(() => visit(location.href, {}, 'none'));
});

wake();
setTimeout(watch, EVERY_MS);
`;
