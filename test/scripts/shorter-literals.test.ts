import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shorterCss, shorterHtml } from '../../scripts/shorter-literals.js';

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
        .seg :checked + span { opacity: 0.75; }
      }`;
    assert.equal(
      shorterCss(text),
      ".a,.b>i{margin:.5em -.01em;font:600 1em / 1.5 'Segoe UI',sans-serif;inset:calc(100% + 6px)}" +
        '@container (max-width:29.99em){.seg :checked + span{opacity:.75}}',
    );
  });

  it('keep every space that is seen, and no other', () => {
    assert.equal(
      shorterHtml(
        '<div\n  class="body \0"\n  part="body"\n>\n  \0 \0\n  <b>a</b>\n  <a href="/x">b</a>\n</div>',
      ),
      '<div class="body \0" part=body>\0 \0 <b>a</b> <a href="/x">b</a></div>',
    );
  });

  it('close what has no end tag without a slash that would become part of a value', () => {
    assert.equal(shorterHtml('<img src=\0 alt="x" />'), '<img src=\0 alt=x>');
  });
});
