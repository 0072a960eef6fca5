import type { PropertyValues, ReactiveController, ReactiveControllerHost } from 'lit';
import { render } from 'lit/html.js';
import { sheetOf } from './css.js';

/** How a property is written as an attribute: by its name in lower case, by another, or not at all. */
export interface Declared {
  readonly attribute?: string | boolean;
  /** Text unless said otherwise. */
  readonly type?: BooleanConstructor | NumberConstructor;
  /** The attribute follows the property; only for booleans. */
  readonly reflect?: boolean;
}

// On a server there is no such class, and nothing is ever made of this one.
const Base =
  (globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ??
  (Object as unknown as typeof HTMLElement);

/**
 * What `LitElement` is to others, as far as one element needs it, in a third of its bytes: every payer downloads it
 * before seeing anything. Properties with attributes, updates in batches, controllers, a shadow root drawn by Lit. It
 * keeps Lit's names, order and interfaces, so that controllers are Lit's and the class can go back to it any day.
 */
export abstract class BaseElement extends Base implements ReactiveControllerHost {
  static readonly properties: Readonly<Record<string, Declared>> = {};
  static readonly styles: string = '';

  /** Read once, when the element is defined: the moment to make the accessors. */
  static get observedAttributes(): string[] {
    return Object.keys(this.properties).flatMap((name) => {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: BaseElement) {
          return this.#values.get(name);
        },
        set(this: BaseElement, value: unknown) {
          const before = this.#values.get(name);
          if (Object.is(before, value)) return;
          this.#values.set(name, value);
          if (!this.#changed.has(name)) this.#changed.set(name, before);
          this.requestUpdate();
        },
      });
      return attributeOf(name, this.properties[name]) ?? [];
    });
  }

  renderRoot!: ShadowRoot;
  readonly #values = new Map<string, unknown>();
  readonly #controllers = new Set<ReactiveController>();
  /** What the page set before the element was defined: it wins over the defaults. */
  readonly #early = new Map<string, unknown>();
  #changed = new Map<string, unknown>();
  #pending = false;
  #begin!: () => void;
  #done: Promise<boolean>;

  constructor() {
    super();
    // Nothing is drawn before the element is on a page.
    this.#done = new Promise((resolve) => (this.#begin = () => resolve(true)));
    for (const name of Object.keys(this.#properties)) {
      if (!Object.hasOwn(this, name)) continue;
      this.#early.set(name, Reflect.get(this, name));
      Reflect.deleteProperty(this, name);
    }
    this.requestUpdate();
  }

  /** Settles with the update under way; false when that one asked for another. */
  get updateComplete(): Promise<boolean> {
    return this.#done;
  }

  addController(controller: ReactiveController): void {
    this.#controllers.add(controller);
    if ((this.renderRoot as ShadowRoot | undefined) && this.isConnected) controller.hostConnected?.();
  }

  removeController(controller: ReactiveController): void {
    this.#controllers.delete(controller);
  }

  requestUpdate(): void {
    if (this.#pending) return;
    this.#pending = true;
    this.#done = this.#updateAfter(this.#done);
  }

  connectedCallback(): void {
    this.renderRoot ??= this.#makeRoot();
    this.#begin();
    for (const controller of this.#controllers) controller.hostConnected?.();
  }

  disconnectedCallback(): void {
    for (const controller of this.#controllers) controller.hostDisconnected?.();
  }

  attributeChangedCallback(attribute: string, _before: string | null, value: string | null): void {
    for (const [name, declared] of Object.entries(this.#properties)) {
      if (attributeOf(name, declared) === attribute) Reflect.set(this, name, fromAttribute(value, declared));
    }
  }

  protected abstract willUpdate(changed: PropertyValues): void;
  protected abstract render(): unknown;
  protected abstract updated(changed: PropertyValues): void;

  get #properties(): Readonly<Record<string, Declared>> {
    return (this.constructor as typeof BaseElement).properties;
  }

  #makeRoot(): ShadowRoot {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheetOf((this.constructor as typeof BaseElement).styles)];
    return root;
  }

  async #updateAfter(last: Promise<boolean>): Promise<boolean> {
    try {
      await last;
    } catch (error) {
      // Waiting for it took the error from the console; it belongs there.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever was thrown
      void Promise.reject(error);
    }
    this.#update();
    return !this.#pending;
  }

  #update(): void {
    for (const [name, value] of this.#early) Reflect.set(this, name, value);
    this.#early.clear();
    const changed = this.#changed;
    try {
      this.willUpdate(changed);
      for (const controller of this.#controllers) controller.hostUpdate?.();
      const drawn = this.render();
      this.#settle();
      for (const [name, { reflect }] of Object.entries(this.#properties)) {
        if (reflect && changed.has(name)) this.toggleAttribute(name, Boolean(this.#values.get(name)));
      }
      render(drawn, this.renderRoot, { host: this });
    } catch (error) {
      this.#settle();
      throw error;
    }
    for (const controller of this.#controllers) controller.hostUpdated?.();
    this.updated(changed);
  }

  /** What changes from here on takes another update. */
  #settle(): void {
    this.#changed = new Map();
    this.#pending = false;
  }
}

function attributeOf(name: string, { attribute }: Declared = {}): string | null {
  if (attribute === false) return null;
  return typeof attribute === 'string' ? attribute : name.toLowerCase();
}

function fromAttribute(value: string | null, { type }: Declared): unknown {
  if (type === Boolean) return value !== null;
  return type === Number && value !== null ? Number(value) : value;
}
