import { find } from '../page-kit.js';

/** The form is the state: what differs from its first values is in the address, so that a look can be linked to. */

type Field = HTMLInputElement | HTMLSelectElement;

export interface Knobs {
  readonly form: HTMLFormElement;
  /** The value as text: empty when nothing is chosen, `on` for a tick. */
  readonly get: (name: string) => string;
  /** Whether it is as the page came. */
  readonly isDefault: (name: string) => boolean;
  /** Puts what is in the address into the form. */
  readonly recall: (query: URLSearchParams) => void;
  /** Puts what is in the form into the address. */
  readonly remember: (query: URLSearchParams) => void;
  readonly reset: () => void;
}

export function openKnobs(selector: string): Knobs {
  const form = find<HTMLFormElement>(selector);
  const fields = () =>
    [...form.elements].filter((element): element is Field => 'name' in element && element.name !== '');
  const field = (name: string) => {
    const found = fields().find((candidate) => candidate.name === name);
    if (!found) throw new Error(`The playground has no ${name}`);
    return found;
  };

  return {
    form,
    get: (name) => valueOf(field(name)),
    isDefault: (name) => valueOf(field(name)) === defaultOf(field(name)),
    recall(query) {
      for (const each of fields()) put(each, query.get(each.name) ?? defaultOf(each));
    },
    remember(query) {
      for (const each of fields()) {
        if (valueOf(each) === defaultOf(each)) query.delete(each.name);
        else query.set(each.name, valueOf(each));
      }
    },
    reset: () => form.reset(),
  };
}

type Tick = HTMLInputElement & { readonly type: 'checkbox' };
const isTick = (field: Field): field is Tick => field.type === 'checkbox';

function valueOf(field: Field): string {
  if (isTick(field)) return field.checked ? 'on' : '';
  return field.value;
}

function defaultOf(field: Field): string {
  if (field instanceof HTMLSelectElement) {
    return (
      [...field.options].find(({ defaultSelected }) => defaultSelected)?.value ??
      field.options[0]?.value ??
      ''
    );
  }
  if (isTick(field)) return field.defaultChecked ? 'on' : '';
  return field.defaultValue;
}

function put(field: Field, value: string): void {
  if (isTick(field)) field.checked = value === 'on';
  else if (field instanceof HTMLInputElement) field.value = value;
  // An address may name what is no longer there.
  else if ([...field.options].some((option) => option.value === value)) field.value = value;
}
