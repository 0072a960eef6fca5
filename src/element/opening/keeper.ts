import type { ReactiveController } from 'lit';
import type { Host, Keep } from '../host.js';

/** What views keep for one element between renders: a half-filled form, a drawn picture. Some are controllers. */
export class Keeper {
  readonly #host: Host;
  readonly #kept = new Map<unknown, object>();

  constructor(host: Host) {
    this.#host = host;
  }

  readonly keep: Keep = <Kept extends object>(Type: new (host: Host) => Kept): Kept => {
    let kept = this.#kept.get(Type);
    if (!kept) this.#kept.set(Type, (kept = new Type(this.#host)));
    return kept as Kept;
  };

  /** Another order, another payer: nothing typed is carried over. */
  forget(): void {
    for (const kept of this.#kept.values()) {
      const controller: ReactiveController = kept;
      controller.hostDisconnected?.();
      this.#host.removeController(controller);
    }
    this.#kept.clear();
  }
}
