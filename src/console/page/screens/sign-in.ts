import { html, type TemplateResult } from 'lit';
import type { SessionView } from '../../../contract/merchant/console.js';
import { ConsoleForm } from '../form.js';
import { problemOf } from '../api.js';
import { heading } from '../../../look/parts/parts.js';

/** Shown when the console is opened without the terminal's link. */
export class ConsoleSignIn extends ConsoleForm {
  static override properties = { ...ConsoleForm.properties, onSession: { attribute: false } };
  declare onSession: (session: SessionView) => void;

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    const token = this.values(event.currentTarget as HTMLFormElement)('token');
    this.busy = true;
    this.problem = undefined;
    this.faults = [];
    try {
      this.onSession(await this.shell.api.signIn(token));
    } catch (error) {
      this.busy = false;
      const problem = problemOf(error);
      if (problem === 'wrong_token') await this.object({ field: 'token', code: 'wrong_token' });
      // The field shows what is wrong.
      this.problem = problem === 'wrong_token' ? undefined : problem;
    }
  };

  protected override faultOf(): string {
    return this.shell.words.problems.wrong_token;
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`${heading(words.signIn.title, words.signIn.lead)}
      <form class="panel narrow" novalidate @submit=${this.#submit}>
        ${this.refusal()} ${this.text('token', words.signIn.token, { type: 'password' })}
        <p class="bar">
          <button class="button" type="submit" aria-disabled=${this.busy}>${words.signIn.enter}</button>
        </p>
      </form>`;
  }
}
