import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Helpers } from '../../../src/element/opening/helpers.js';
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

describe('the helpers of an element', () => {
  it('are one of each kind, made when it is first asked for', () => {
    const host = {} as Host;
    const helpers = new Helpers(host);
    const form = helpers.get(Form);
    assert.ok(form instanceof Form);
    assert.equal(form.host, host);
    assert.equal(helpers.get(Form), form);
    assert.ok(helpers.get(Picture) instanceof Picture);
    assert.equal(helpers.get(Form), form);
  });

  it('release what they hold when they are forgotten, and are made anew', () => {
    const removed: unknown[] = [];
    const helpers = new Helpers({
      removeController: (each: unknown) => removed.push(each),
    } as unknown as Host);
    const [form, picture] = [helpers.get(Form), helpers.get(Picture)];
    helpers.forget();
    assert.equal(form.left, 1);
    assert.deepEqual(removed, [form, picture]);
    assert.notEqual(helpers.get(Form), form);
    helpers.forget();
    assert.equal(form.left, 1, 'once');
  });
});
