import type { ReactiveController } from 'lit';
import type { GetHelper, Host } from '../host.js';

/** The helpers of one element, which outlive a render: a half-filled form, a drawn picture. Some are controllers. */
export class Helpers {
  readonly #host: Host;
  readonly #helpers = new Map<unknown, object>();

  constructor(host: Host) {
    this.#host = host;
  }

  readonly get: GetHelper = <Helper extends object>(Type: new (host: Host) => Helper): Helper => {
    let helper = this.#helpers.get(Type);
    if (!helper) this.#helpers.set(Type, (helper = new Type(this.#host)));
    return helper as Helper;
  };

  /** Another order, another payer: nothing typed is carried over. */
  forget(): void {
    for (const helper of this.#helpers.values()) {
      const controller: ReactiveController = helper;
      controller.hostDisconnected?.();
      this.#host.removeController(controller);
    }
    this.#helpers.clear();
  }
}
