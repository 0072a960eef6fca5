import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { drawQr } from '../../src/element/draw-qr.js';

/** What the test runs twice in a page: with the packages as they are, and with those of the build. */

export function draw(texts: readonly string[]): Promise<string[]> {
  return Promise.all(texts.map(drawQr));
}

/** Every kind of expression that the widget's templates have, drawn again and again with other values. */
export function renderAll(): string[] {
  const root = document.createElement('div');
  const heard: string[] = [];
  const host = { name: 'host' };
  const seen: string[] = [];
  const show = (template: unknown) => {
    render(template, root, { host });
    for (const button of root.querySelectorAll('button')) button.click();
    const values = [...root.querySelectorAll('input')].map(({ value, checked }) => `${value} ${checked}`);
    const text = new XMLSerializer().serializeToString(root).replace(/<!--.*?-->/g, '');
    seen.push(JSON.stringify([text, values, heard.splice(0)]));
  };
  const hears = (what: string) =>
    function (this: unknown, event: Event) {
      heard.push(`${what} ${event.type} ${JSON.stringify(this)}`);
    };
  const row = (name: unknown, listener: unknown) =>
    html`<li class="row ${name}" id=${name}>
      ${name}<button @click=${listener}>${name}</button>${html`<b>${name}</b>`}
    </li>`;
  const form = (value: string, checked: boolean, hidden: boolean, title: unknown) =>
    html`<form ?hidden=${hidden} title=${title} data-a="${value}-${title}">
      <input .value=${value} .checked=${checked} /><svg viewBox="0 0 1 1"><path d=${value}></path></svg>
    </form>`;
  const children: unknown[] = [
    'text',
    'other text',
    '',
    0,
    false,
    null,
    undefined,
    nothing,
    '<i>no tag</i>',
    html`${'at both'} ${'ends'}`,
    html`${html`${html`deep`}`}${html``}`,
    [],
    ['a', 1, html`<i>c</i>`, nothing],
    [html`<i>c</i>`],
    'after a list',
  ];
  const around = (inner: unknown): TemplateResult =>
    html`<p>before</p>
      ${inner}
      <p>after ${inner}</p>`;
  for (const child of children) show(around(child));
  for (const child of children.toReversed()) show(around(child));
  for (const names of ['a b c', 'a c', 'c', 'd c b a', ''])
    show(
      html`<ul>
        ${names.split(' ').map((name) => row(name, hears(name)))}
      </ul>`,
    );
  for (const listener of [nothing, hears('first'), hears('second'), nothing, hears('third')])
    show(row('x', listener));
  for (const [value, title] of [
    ['one', 'a'],
    ['one', nothing],
    ['two', null],
    ['', 'b'],
  ] as const)
    for (const flag of [true, false]) show(form(value, flag, !flag, title));
  // What came over the wire is text, whatever it looks like.
  let refused = '';
  try {
    show({ _$litType$: 1, strings: ['<img src=x>'], values: [] });
  } catch (error) {
    refused = String(error);
  }
  return [...seen, refused];
}
