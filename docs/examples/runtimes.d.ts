/** As much of each runtime as the examples use, so that they are type-checked without installing any of them. */
declare module 'express' {
  interface Incoming {
    readonly headers: { readonly cookie?: string };
  }
  interface Outgoing {
    status(code: number): Outgoing;
    send(text: string): void;
  }
  interface App {
    use(path: string, handler: (incoming: never, outgoing: never) => void): void;
    get(path: string, handler: (incoming: Incoming, outgoing: Outgoing) => Promise<void>): void;
    listen(port: number): void;
  }
  export default function express(): App;
}

declare const Bun: {
  serve(options: { port: number; idleTimeout: number; fetch(request: Request): Promise<Response> }): {
    readonly url: URL;
  };
};

declare const Deno: {
  readonly env: { toObject(): Record<string, string> };
  serve(
    options: { port: number },
    handle: (request: Request, info: { remoteAddr: object }) => Promise<Response>,
  ): void;
};

declare module '@angular/core' {
  export function Component(about: {
    selector: string;
    schemas: readonly object[];
    template: string;
  }): (component: unknown, context: unknown) => void;
  export const CUSTOM_ELEMENTS_SCHEMA: object;
  export const input: { required<Value>(): () => Value };
  export function output<Value>(): { emit(value: Value): void };
}
