import { html, nothing, type TemplateResult } from 'lit';
import { LONGEST_NOTE } from '../../contract/merchant/payouts.js';
import { ConsoleForm } from './form.js';

/** The merchant's own note on something, to read and to change. */
export class ConsoleNote extends ConsoleForm {
  static override properties = {
    ...ConsoleForm.properties,
    path: { attribute: false },
    note: { attribute: false },
    isSaved: { state: true },
  };
  /** The API path that the note is sent to. */
  declare path: string;
  declare note: string | null;
  /** The field shows what was saved last. */
  declare protected isSaved: boolean;

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    const note = this.values(event.currentTarget as HTMLFormElement)('note');
    await this.post(this.path, { note });
    this.isSaved = this.problem === undefined;
    if (this.isSaved) this.shell.announce(this.shell.words.form.noteSaved);
  };

  protected override render(): TemplateResult {
    const { form, facts } = this.shell.words;
    return html`<form
      class="panel note"
      novalidate
      @submit=${this.#submit}
      @input=${() => (this.isSaved = false)}
    >
      ${this.refusal()}
      ${this.text('note', facts.note, {
        hint: form.noteHint,
        longest: LONGEST_NOTE,
        optional: true,
        value: this.note ?? '',
      })}
      <p class="bar">
        <button class="button plain" type="submit" aria-disabled=${this.busy}>${form.saveNote}</button>
        ${this.isSaved ? html`<span class="hint">${form.noteSaved}</span>` : nothing}
      </p>
    </form>`;
  }
}
