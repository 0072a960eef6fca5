import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'vitest';
import { makeEditorData } from '../../scripts/build/editor-data.js';
import { classesOf, elementOf, fieldsOf, makeManifest, methodsOf } from '../../scripts/build/manifest.js';
import { PayCheckoutElement } from '../../src/index.js';

/** custom-elements.json says what is true: nothing is missing, and nothing is in it that is not there. */

const manifest = await makeManifest();
const element = elementOf(manifest);
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();
const views = readdirSync('src/element', { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(`src/element/${file}`, 'utf8'))
  .join('\n');

describe('the manifest', () => {
  it('has every attribute and property', () => {
    assert.deepEqual(names(element.attributes), [...PayCheckoutElement.observedAttributes].sort());
    const fields = fieldsOf(element);
    const settable = fields.filter((field) => field.readonly !== true);
    assert.deepEqual(names(settable), Object.keys(PayCheckoutElement.properties).sort());
    assert.deepEqual(names(fields.filter((field) => field.readonly)), ['attempt', 'payin', 'phase']);
    for (const { name, description } of [...fields, ...element.attributes])
      assert.ok(description, `${name} says nothing of itself`);
  });

  it('has every method, and none that is only for the element itself', () => {
    assert.deepEqual(names(methodsOf(element)), ['close', 'define', 'refresh', 'reset', 'show', 'start']);
  });

  it('has every event, with a class that is described too', () => {
    const map = /interface PayCheckoutEventMap \{([^}]*)\}/.exec(views)?.[1] ?? '';
    const told = [...map.matchAll(/'([a-z-]+)': (\w+);/g)].map(([, name, type]) => `${name} ${type}`);
    assert.ok(told.length > 10);
    assert.deepEqual(element.events.map(({ name, type }) => `${name} ${type.text}`).sort(), told.sort());
    for (const { type } of element.events)
      assert.ok(
        classesOf(manifest).some(({ name }) => name === type.text),
        type.text,
      );
  });

  it('has every slot and part, and invents none', () => {
    const drawnSlots = [...views.matchAll(/<slot(?: name="([a-z-]+)")?/g)].map(([, name]) => name ?? '');
    assert.deepEqual(names(element.slots), [...new Set(drawnSlots)].sort());
    const drawnParts = [...views.matchAll(/\bpart="([a-z -]+)"/g)].flatMap(
      ([, found]) => found?.split(' ') ?? [],
    );
    assert.deepEqual(names(element.cssParts), [...new Set(drawnParts)].sort());
  });

  it('has every custom property that the styles read', () => {
    const styles = `${views}\n${String(PayCheckoutElement.styles)}`;
    const read = new Set([...styles.matchAll(/var\((--pay-[a-z-]+)/g)].map(([, name]) => name));
    for (const name of names(element.cssProperties)) assert.ok(read.has(name), `${name} is read nowhere`);
    assert.deepEqual(
      [...read].filter((name) => !element.cssProperties.some((property) => property.name === name)),
      [],
    );
  });

  it('leads tools to the files that are shipped', () => {
    for (const { path } of manifest.modules) assert.match(path, /^dist\/.*\.js$/);
    const definition = manifest.modules
      .flatMap(({ exports }) => exports ?? [])
      .find(({ kind }) => kind === 'custom-element-definition');
    assert.deepEqual(definition, {
      kind: 'custom-element-definition',
      name: 'pay-checkout',
      declaration: { name: 'PayCheckoutElement', module: 'dist/element/pay-checkout-element.js' },
    });
  });

  it('becomes what VS Code completes', () => {
    const { html, css } = makeEditorData(element);
    const text = JSON.stringify(html);
    for (const name of [...names(element.attributes), 'BRE_B PSE', 'SINGLE_USE', 'payin-confirmed'])
      assert.ok(text.includes(name), name);
    for (const name of ['--pay-accent', '::part(card)']) assert.ok(JSON.stringify(css).includes(name), name);
  });
});
