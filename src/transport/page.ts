import { withoutReturnId } from '../contract/return-id.js';

/** Runs once after a delay; returns what cancels it. */
export function later(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

/** Takes the return id out of the address bar and the history entry, and leaves the page's own state alone. */
export function cleanAddress(
  { href }: Pick<Location, 'href'>,
  history: Pick<History, 'state' | 'replaceState'>,
): void {
  const clean = withoutReturnId(href);
  if (clean !== href) history.replaceState(history.state, '', clean);
}
