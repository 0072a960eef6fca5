export interface Bank {
  readonly code: string;
  readonly name: string;
  /** Other names payers know it by. */
  readonly aliases?: readonly string[] | undefined;
  /** Its place in a list before all others, which follow A to Z: 1 for the bank that most payers have. */
  readonly first?: number | undefined;
  /** Plays a bank where there is no money; never offered in production. */
  readonly testOnly?: boolean | undefined;
}

const LONGEST_QUERY = 100;

/** Those with a place of their own, then A to Z as Spanish sorts, without the page's first `Intl`, which would block it. */
export function sortBanks<B extends Bank>(banks: readonly B[]): B[] {
  const keyed = banks.map((bank) => ({
    bank,
    place: bank.first ?? 1_000,
    name: plain(bank.name, 'n\uffff'),
  }));
  keyed.sort((a, b) => a.place - b.place || (a.name < b.name ? -1 : Number(a.name > b.name)));
  return keyed.map(({ bank }) => bank);
}

/**
 * The banks a payer may mean, best first and as a list has them within each rank: the name begins so, words of it do, an
 * alias does, or it is somewhere inside; where none does, those that would with one letter other, more, less or in
 * another place. Accents, case, punctuation and spacing do not matter. A query without letters or digits gives all.
 */
export function searchBanks<B extends Bank>(banks: readonly B[], query: string): B[] {
  const wanted = words(query.slice(0, LONGEST_QUERY));
  const ranked = sortBanks(banks).map((bank) => ({ bank, rank: rank(bank, wanted) }));
  const found = [0, 1, 2, 3].flatMap((each) =>
    ranked.flatMap(({ bank, rank }) => (rank === each ? bank : [])),
  );
  return found.length > 0 ? found : ranked.flatMap(({ bank }) => (isMisspelt(bank, wanted) ? bank : []));
}

/** Shorter words are one letter from too many others. */
const SHORTEST_MISSPELT = 4;

/** Whether each wanted word begins some word of one of the bank's names but for one letter. */
function isMisspelt(bank: Bank, wanted: readonly string[]): boolean {
  return [bank.name, ...(bank.aliases ?? [])]
    .map(words)
    .some((candidate) => wanted.every((start) => candidate.some((word) => nearlyBegins(word, start))));
}

/** Looks only past the letters that both begin with: one slip is at the first difference. */
function nearlyBegins(word: string, start: string): boolean {
  if (start.length < SHORTEST_MISSPELT) return word.startsWith(start);
  let same = 0;
  while (same < start.length && word[same] === start[same]) same++;
  const [rest, typed] = [word.slice(same), start.slice(same)];
  const swapped = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`;
  return (
    rest.slice(1).startsWith(typed.slice(1)) ||
    rest.slice(1).startsWith(typed) ||
    rest.startsWith(typed.slice(1)) ||
    swapped.startsWith(typed)
  );
}

/** 0 is best; no rank when the bank does not match. */
function rank(bank: Bank, wanted: readonly string[]): number {
  const [name = [], ...aliases] = [bank.name, ...(bank.aliases ?? [])].map(words);
  return [
    name.join(' ').startsWith(wanted.join(' ')),
    begin(name, wanted),
    aliases.some((alias) => begin(alias, wanted)),
    [name, ...aliases].some((candidate) => candidate.join('').includes(wanted.join(''))),
  ].indexOf(true);
}

/** Whether each wanted word begins some word, so that "banco bogota" finds "Banco de Bogotá". */
function begin(candidate: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((start) => candidate.some((word) => word.startsWith(start)));
}

/** Words of letters and digits, without accents and case. */
function words(text: string): string[] {
  return plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Without accents and case. Who sorts gives what stands for ñ, a letter of its own after every n. */
function plain(text: string, tilde = 'n'): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/n\u0303/g, tilde)
    .replace(/\p{M}/gu, '');
}
