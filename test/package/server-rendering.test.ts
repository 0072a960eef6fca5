import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { h } from 'preact';
import { renderToString as renderPreact } from 'preact-render-to-string';
import { createElement } from 'react';
import { renderToString as renderReact } from 'react-dom/server';
import { Dynamic, renderToString as renderSolid } from 'solid-js/web';
import type { Component } from 'svelte';
import { compile } from 'svelte/compiler';
import { render as renderSvelte } from 'svelte/server';
import { createSSRApp } from 'vue';
import { renderToString as renderVue } from 'vue/server-renderer';

/** What each framework writes on a server when a page sets an object the documented way: no "[object Object]". */

const customer = { name: 'Ana' };
const EXPECTED =
  '<pay-checkout backend="/checkout" order="token" amount-in-cents="4290000"><p>Cargando</p></pay-checkout>';
const attributes = { backend: '/checkout', order: 'token', 'amount-in-cents': 4_290_000 };

/** Without what a framework leaves for itself to find its place again in the browser. */
const plain = (html: string) => html.replaceAll(/<!--.*?-->| data-hk="\w+"|(?<=\w"?) (?=>)/g, '');

describe('the tag on a server', () => {
  it('React leaves out objects and listeners', () => {
    const html = renderReact(
      createElement(
        'pay-checkout',
        { ...attributes, customer, 'onpayin-confirmed': () => undefined },
        createElement('p', null, 'Cargando'),
      ),
    );
    assert.equal(plain(html), EXPECTED);
  });

  it('Vue leaves out objects and listeners', async () => {
    const app = createSSRApp({
      template: `<pay-checkout backend="/checkout" :order="order" :amount-in-cents="4290000" :customer="customer" @payin-confirmed="paid"><p>Cargando</p></pay-checkout>`,
      compilerOptions: { isCustomElement: (tag: string) => tag === 'pay-checkout' },
      setup: () => ({ order: 'token', customer, paid: () => undefined }),
    });
    assert.equal(plain(await renderVue(app)), EXPECTED);
  });

  it('Preact writes no ref and no listener', () => {
    const html = renderPreact(
      h(
        'pay-checkout',
        {
          ...attributes,
          ref: (element) => element && Object.assign(element, { customer }),
          'onpayin-confirmed': () => undefined,
        },
        h('p', null, 'Cargando'),
      ),
    );
    assert.equal(plain(html), EXPECTED);
  });

  it('Solid leaves out what is written as a property, and listeners', () => {
    const html = renderSolid(() =>
      Dynamic({
        component: 'pay-checkout',
        ...attributes,
        'prop:customer': customer,
        'on:payin-confirmed': () => undefined,
        get children() {
          return Dynamic({ component: 'p', children: 'Cargando' });
        },
      }),
    );
    assert.equal(plain(html), EXPECTED);
  });

  it('Svelte writes no attachment and no listener', async () => {
    const { js } = compile(
      `<script>
        let { order, customer } = $props();
      </script>
      <pay-checkout
        backend="/checkout"
        {order}
        amount-in-cents={4290000}
        onpayin-confirmed={() => undefined}
        {@attach (element) => void Object.assign(element, { customer })}
      ><p>Cargando</p></pay-checkout>`,
      { generate: 'server' },
    );
    const code = js.code.replaceAll(
      /(from|import) '(svelte[^']*)'/g,
      (_, word: string, name: string) => `${word} '${import.meta.resolve(name)}'`,
    );
    const { default: component } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      default: Component<{ order: string; customer: object }>;
    };
    const { body } = renderSvelte(component, { props: { order: 'token', customer } });
    assert.equal(plain(body), EXPECTED);
  });
});
