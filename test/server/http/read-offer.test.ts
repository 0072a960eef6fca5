import assert from 'node:assert/strict';
import { test } from 'vitest';
import { openWorld } from '../world.js';

test('the merchant’s server gets the offer that the browser would, with the attempt once there is one', async () => {
  const world = await openWorld();
  const [checkout] = world.checkouts;
  try {
    assert.deepEqual(await checkout?.offer('order-1'), (await world.offer()).offer);
    const { attempt } = await world.startBreb();
    assert.equal((await checkout?.offer('order-1'))?.attempt?.id, attempt.id);
  } finally {
    await world.close();
  }
});

test('an order that does not exist has no offer, and one that is no longer offered shows what became of it', async () => {
  const world = await openWorld();
  const [checkout] = world.checkouts;
  try {
    assert.equal(await checkout?.offer('order-9'), null);
    const { attempt } = await world.startBreb();
    world.orders.delete('order-1');
    const closed = await checkout?.offer('order-1');
    assert.equal(closed?.attempt?.id, attempt.id);
    assert.deepEqual(closed?.methods, []);
  } finally {
    await world.close();
  }
});

test('the offer as a tag for the page cannot be ended by what a description says', async () => {
  const world = await openWorld();
  const [checkout] = world.checkouts;
  try {
    world.orders.set('order-1', {
      amountInCents: 4_290_000,
      description: 'Café </script><script>alert(1)</script>',
    });
    const tag = (await checkout?.offerTag('order-1')) ?? '';
    const [, json = ''] = /^<script type="application\/json">([^<]*)<\/script>$/.exec(tag) ?? [];
    assert.deepEqual(JSON.parse(json), (await world.offer()).offer);
  } finally {
    await world.close();
  }
});

test('the tag is left out where the widget asks anyway: no such order, or an attempt under way', async () => {
  const world = await openWorld();
  const [checkout] = world.checkouts;
  try {
    assert.equal(await checkout?.offerTag('order-9'), '');
    await world.startBreb();
    assert.equal(await checkout?.offerTag('order-1'), '');
  } finally {
    await world.close();
  }
});
