/** What a page of a journey writes down. */
export const EVENTS = [
  'checkout-ready',
  'payin-created',
  'payin-updated',
  'payin-confirmed',
  'payin-declined',
  'payin-canceled',
  'payin-lapsed',
  'checkout-redirect',
  'checkout-finished',
  'checkout-error',
];

/** A script that makes a page's time pass faster. */
export function atSpeed(speed: number): string {
  if (speed === 1) return '';
  return `{
        const speed = ${speed};
        const { setTimeout: later, performance: clock, Date: dates } = window;
        const [now, today] = [clock.now.bind(clock), dates.now];
        const [start, day] = [now(), today()];
        window.setTimeout = (run, ms, ...rest) => later(run, ms / speed, ...rest);
        clock.now = () => start + (now() - start) * speed;
        dates.now = () => day + (today() - day) * speed;
      }`;
}

/** A shop's page. What it is about is in its path, so that a test's own query and hash stay apart. */
export function page({ pathname }: URL, entry: string): string {
  const about = new URLSearchParams(pathname.split('/').slice(2).join('&'));
  const attribute = (name: string) => {
    const value = about.get(name);
    return value ? ` ${name}="${value}"` : '';
  };
  return `<!doctype html>
<html lang="es">
  <head>
    <meta charset="utf-8" />
    <title>Pagar</title>
    <script>
      window.heard = [];
      for (const name of ${JSON.stringify(EVENTS)}) {
        document.addEventListener(name, ({ type, resumed, reason }) => {
          heard.push([type, resumed && 'resumed', reason].filter(Boolean).join(' '));
        });
      }
      addEventListener('pageshow', ({ persisted }) => persisted && heard.push('restored'));
      ${atSpeed(Number(about.get('speed') ?? 1))}
    </script>
    <script type="module" src="/${entry}"></script>
  </head>
  <body>
    <pay-checkout${attribute('backend')}${attribute('order')}></pay-checkout>
  </body>
</html>`;
}
