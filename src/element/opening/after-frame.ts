/**
 * Runs once what is drawn now is on the screen, where measuring and focusing cost no layout of their own; at once on a
 * page that is not seen, because it has no frames.
 */
export function afterFrame(run: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(run);
  else requestAnimationFrame(() => setTimeout(run));
}
