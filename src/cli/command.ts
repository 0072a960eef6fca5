/** What a command of `pay-checkout` is: a line for the overview, a help text, and the work. */
export interface Command {
  readonly summary: string;
  readonly help: string;
  /** Resolves with the exit code once the command is over; a server's command resolves when it was stopped. */
  run(args: readonly string[]): Promise<number>;
}

/** The person typed something this program does not understand; shown with a pointer to the help, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was understood but cannot be done; shown without a stack, exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
