import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  OWN_CLASSES,
  OWN_PROPERTIES,
  shortened,
  shorterCss,
  shorterHtml,
} from '../../scripts/shorter-literals.js';

describe('shorter literals', () => {
  it('leave of styles what a browser reads', () => {
    const text = `
      /* why */
      .a,
      .b > i {
        margin: 0.5em -0.01em;
        font: 600 1em / 1.5 'Segoe UI', sans-serif;
        inset: calc(100% + 6px);
      }
      @container (max-width: 29.99em) {
        .own :checked + span { opacity: 0.75; }
      }`;
    assert.equal(
      shorterCss(text),
      ".a,.b>i{margin:.5em -.01em;font:600 1em / 1.5 'Segoe UI',sans-serif;inset:calc(100% + 6px)}" +
        '@container (max-width:29.99em){.own :checked + span{opacity:.75}}',
    );
  });

  it('keep every space that is seen, and no other', () => {
    assert.equal(
      shorterHtml(
        '<div\n  class="own \0"\n  part="body"\n>\n  \0 \0\n  <b>a</b>\n  <a href="/x">b</a>\n</div>',
      ),
      '<div class="own \0" part=body>\0 \0 <b>a</b> <a href="/x">b</a></div>',
    );
  });

  it('close what has no end tag without a slash that would become part of a value', () => {
    assert.equal(shorterHtml('<img src=\0 alt="x" />'), '<img src=\0 alt=x>');
  });

  it('number the properties that only styles say', () => {
    assert.equal(
      shorterCss('--_text: var(--pay-text); color: var(--_text-muted, var(--_text))'),
      '--_4:var(--pay-text);color:var(--_0,var(--_4))',
    );
    assert.throws(() => shorterCss('color: var(--_unheard)'), /--_unheard/);
    assert.throws(() => shortened("style.setProperty('--_text', 'red');"), /--_text/);
    assert.throws(() => shortened('const line = `--_${name}: red`;'), /--_/);
  });

  const [ghost, row] = ['ghost', 'row'].map((name) => shorterCss(`.${name}`).slice(1));

  it('name classes alike in styles, templates and selectors', () => {
    assert.equal(
      shorterCss('.row.own > .ghost:not(.row), .row-end { margin: 0.5em }'),
      `.${row}.own>.${ghost}:not(.${row}),.row-end{margin:.5em}`,
    );
    assert.equal(
      shorterHtml('<p id="row" class="row own \0" part="row">row</p><b class="ghost">.row</b>'),
      `<p id=row class="${row} own \0" part=row>row</p><b class=${ghost}>.row</b>`,
    );
    assert.equal(
      shortened("f(a.closest('.row'), b.querySelector('.own:not(.ghost)'), `dialog.row ${c}`, d.row);"),
      `f(a.closest('.${row}'), b.querySelector('.own:not(.${ghost})'), \`dialog.${row} \${c}\`, d.row);`,
    );
    assert.equal(
      shortened('html`<p class="row ${a ? "own" : ""}">${html`<b class="ghost"></b>`}</p>`;'),
      `html\`<p class="${row} \${a ? "own" : ""}">\${html\`<b class=${ghost}></b>\`}</p>\`;`,
    );
  });

  it('refuse a class that is chosen or put together while the widget runs', () => {
    for (const code of [
      'html`<p class="own ${flag ? "ghost" : ""}"></p>`;',
      'html`<p class="row${size}"></p>`;',
      "field.className = 'row';",
      'const list = `row ${tone}`;',
      "const more = flag ? ' ghost' : '';",
    ])
      assert.throws(() => shortened(code), /cannot be told|put together/, code);
  });

  it('give every class and property a name of its own, which differs by more than its case', () => {
    assert.equal(new Set(OWN_PROPERTIES).size, OWN_PROPERTIES.length);
    const names = OWN_CLASSES.map((name) => shorterCss(`.${name}`).toLowerCase());
    assert.equal(new Set(names).size, OWN_CLASSES.length);
    assert.ok(names.every((name) => /^\.[a-z]\d?$/.test(name)));
  });
});
