/**
 * Shows the card from its top where the screen that a payer's press has led to begins above the window, or where what is
 * to be scanned or copied ends behind the line at its foot.
 */
export function showFromTop(root: ShadowRoot): void {
  const { top } = root.host.getBoundingClientRect();
  const end = root.querySelector('.qr, .rows')?.getBoundingClientRect().bottom ?? 0;
  const line = root.querySelector('.wait')?.getBoundingClientRect().top ?? innerHeight;
  if (top < 0 || end > line) root.host.scrollIntoView({ block: 'start' });
}
