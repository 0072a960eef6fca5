import type { ConsoleProblem, FieldFault, SessionView } from '../../contract/merchant/console.js';

/** How the page asks its backend. The session is a cookie that no script sees; the API key never comes this far. */

/** `away`: no answer came, or a proxy answered instead. The same request may succeed in a moment. */
export type Problem = ConsoleProblem | 'away';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;
  readonly errors: readonly FieldFault[];

  constructor(problem: Problem, errors: readonly FieldFault[] = []) {
    super(`The backend answers ${problem}`);
    this.problem = problem;
    this.errors = errors;
  }
}

export function problemOf(error: unknown): Problem {
  return error instanceof ApiError ? error.problem : 'failed';
}

export class Api {
  readonly #root: () => string;
  #csrf = '';
  /** Called when a request finds that the session is over. */
  readonly #onSignedOut: () => void;

  constructor(root: () => string, onSignedOut: () => void) {
    this.#root = root;
    this.#onSignedOut = onSignedOut;
  }

  async open(): Promise<SessionView> {
    return this.#remember(await this.get<SessionView>('/session'));
  }

  async signIn(token: string): Promise<SessionView> {
    return this.#remember(await this.send<SessionView>('POST', '/session', { token }));
  }

  /** The address of a path, for a link that the browser follows by itself. */
  address(path: string): string {
    return `${this.#root()}${path}`;
  }

  get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return this.#ask<Answer>(path, { ...(signal ? { signal } : {}) });
  }

  async send<Answer = void>(method: 'POST' | 'DELETE', path: string, body: object = {}): Promise<Answer> {
    const ask = () =>
      this.#ask<Answer>(path, {
        method,
        headers: { 'content-type': 'application/json', 'x-console-csrf': this.#csrf },
        body: JSON.stringify(body),
      });
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.problem !== 'forbidden') throw error;
      // Nothing was done. Another tab may have signed in again, so this tab's CSRF token is old.
      await this.open();
      return ask();
    }
  }

  #remember(session: SessionView): SessionView {
    this.#csrf = session.csrf;
    return session;
  }

  async #ask<Answer>(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.address(path), init).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      return null;
    });
    if (response?.status === 204) return undefined as Answer;
    const answer = (await response?.json().catch(() => null)) as
      (Answer & { code?: ConsoleProblem; errors?: FieldFault[] }) | null | undefined;
    if (!response || !answer) throw new ApiError('away');
    if (response.ok) return answer;
    const problem = answer.code ?? 'away';
    if (problem === 'unauthenticated') this.#onSignedOut();
    throw new ApiError(problem, answer.errors ?? []);
  }
}
