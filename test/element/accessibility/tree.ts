import axe from 'axe-core';

/**
 * What a screen reader finds on a screen, as text: a line for each thing in reading order, with its role, its name and
 * its state. axe reads it from the page by the standards, so that every engine gives the same.
 */

/** axe's own tree of the page: what is in shadow roots and slots stands where it is seen. */
interface Found {
  readonly actualNode: Node;
  readonly children: readonly Found[];
}

/** What axe publishes, with the types that it leaves open. */
interface Reader {
  readonly commons: {
    readonly aria: { getRole(found: Found): string | null };
    readonly dom: { isVisibleToScreenReaders(found: Found): boolean };
    readonly text: { accessibleTextVirtual(found: Found): string };
  };
  setup(root: Element): Found;
  teardown(): void;
}

interface Line {
  readonly depth: number;
  words: string;
  /** Text that the next words still belong to. */
  open: boolean;
}

/** Their name is all that is read of them. */
const WHOLE = ['button', 'heading', 'img', 'link', 'option', 'radio', 'textbox', 'combobox', 'term'];
/** What is in them is read, and not again as their name. */
const NAMELESS = ['definition', 'listitem'];
/** They say nothing by themselves. */
const SILENT = ['generic', 'none', 'presentation', 'paragraph', 'strong', 'form'];
const INLINE = ['a', 'b', 'i', 'slot', 'small', 'span'];
const STATES = ['busy', 'disabled', 'expanded', 'invalid', 'required', 'selected'];

/** The trees of all screens on the gallery's page, by their names. A turn passes after each, for the browser's driver. */
export async function galleryTrees(): Promise<Record<string, string>> {
  const reader = axe as unknown as Reader;
  const trees: Record<string, string> = {};
  for (const element of document.querySelectorAll('figure > pay-checkout')) {
    const lines: Line[] = [];
    read(reader.setup(element), 0, lines, reader);
    reader.teardown();
    const texts = lines.map(({ depth, words }) => '  '.repeat(depth) + tidy(words));
    // real time: one turn, in which the page can answer
    await new Promise((resolve) => setTimeout(resolve));
    trees[element.parentElement!.id] = `${texts.filter((text) => text.trim()).join('\n')}\n`;
  }
  return trees;
}

function read(found: Found, depth: number, lines: Line[], reader: Reader): void {
  const { actualNode: node, children } = found;
  if (node instanceof Text) return addText(node.data, depth, lines);
  if (!(node instanceof Element) || !reader.commons.dom.isVisibleToScreenReaders(found)) return;
  const role = reader.commons.aria.getRole(found) ?? 'generic';
  const silent = SILENT.includes(role);
  const inline = silent && INLINE.includes(node.localName);
  if (!inline) closeText(lines);
  if (!silent) {
    const name = NAMELESS.includes(role) ? '' : reader.commons.text.accessibleTextVirtual(found);
    lines.push({ depth, words: [role, ...facts(node, name)].join(' '), open: false });
  }
  if (silent || !WHOLE.includes(role)) {
    for (const child of children) read(child, silent ? depth : depth + 1, lines, reader);
  }
  if (!inline) closeText(lines);
}

function addText(text: string, depth: number, lines: Line[]): void {
  const last = lines.at(-1);
  if (last?.open) last.words += text;
  else if (text.trim()) lines.push({ depth, words: `text: ${text}`, open: true });
}

function closeText(lines: Line[]): void {
  const last = lines.at(-1);
  if (last) last.open = false;
}

/** The level of a heading, the name, and what else is said of a control. */
function facts(node: Element, name: string): string[] {
  const level = /^h([1-6])$/.exec(node.localName)?.[1];
  const states = STATES.flatMap((state) => {
    const value = node.getAttribute(`aria-${state}`);
    return value === null || value === 'false' ? [] : [value === 'true' ? state : `${state}=${value}`];
  });
  if (node instanceof HTMLInputElement && node.checked) states.push('checked');
  if (node instanceof HTMLDetailsElement) states.push(node.open ? 'open' : 'closed');
  if (node instanceof HTMLInputElement && !['radio', 'checkbox'].includes(node.type))
    states.push(...typed(node));
  if (node instanceof HTMLAnchorElement)
    states.push(`→ ${node.href.replace(location.origin + location.pathname, '')}`);
  return [...(level ? [level] : []), ...(name.trim() ? [`“${tidy(name)}”`] : []), ...states];
}

function tidy(text: string): string {
  return text.trimEnd().replace(/\s+/g, ' ');
}

/** The keyboard that a field asks for, what the browser may fill it in with, and what is in it. */
function typed({ inputMode, autocomplete, value }: HTMLInputElement): string[] {
  return [inputMode, autocomplete && `autofill=${autocomplete}`, value && `= ${value}`].filter(Boolean);
}
