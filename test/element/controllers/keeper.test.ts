import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Keeper } from '../../../src/element/opening/keeper.js';
import type { Host } from '../../../src/element/host.js';

class Form {
  left = 0;
  readonly host: Host;

  constructor(host: Host) {
    this.host = host;
  }

  hostDisconnected(): void {
    this.left += 1;
  }
}
class Picture {
  url = '';
}

describe('what is kept for an element', () => {
  it('is one of each kind, made when it is first asked for', () => {
    const host = {} as Host;
    const { keep } = new Keeper(host);
    const form = keep(Form);
    assert.ok(form instanceof Form);
    assert.equal(form.host, host);
    assert.equal(keep(Form), form);
    assert.ok(keep(Picture) instanceof Picture);
    assert.equal(keep(Form), form);
  });

  it('lets go of what it holds when it is forgotten, and is made anew', () => {
    const removed: unknown[] = [];
    const keeper = new Keeper({ removeController: (each: unknown) => removed.push(each) } as unknown as Host);
    const [form, picture] = [keeper.keep(Form), keeper.keep(Picture)];
    keeper.forget();
    assert.equal(form.left, 1);
    assert.deepEqual(removed, [form, picture]);
    assert.notEqual(keeper.keep(Form), form);
    keeper.forget();
    assert.equal(form.left, 1, 'once');
  });
});
