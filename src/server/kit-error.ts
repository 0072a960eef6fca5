/** A mistake that the kit can name. Its message is the kit's own sentence, without personal data, so a log may show it. */
export class KitError extends Error {
  override readonly name: string = 'KitError';
}

/** Names the order that a failure is about, for the log. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
  readonly order: string;

  constructor(order: string, cause: unknown) {
    super('The order could not be offered', { cause });
    this.order = order;
  }
}
