export interface Bank {
  readonly code: string;
  readonly name: string;
  /** Other names payers know it by. */
  readonly aliases?: readonly string[] | undefined;
  /** Plays a bank where there is no money; never offered in production. */
  readonly testOnly?: boolean | undefined;
}

const LONGEST_QUERY = 100;

/** A to Z as Spanish sorts, which PSE asks of every list of banks. */
export function sortBanks<B extends Bank>(banks: readonly B[]): B[] {
  const { compare } = new Intl.Collator('es');
  return [...banks].sort((a, b) => compare(a.name, b.name));
}

/**
 * The banks a payer may mean, best first and A to Z within each rank: the name begins so, words of it do, an
 * alias does, or it is somewhere inside. Accents, case, punctuation and spacing do not matter. A query without
 * letters or digits gives all of them.
 */
export function searchBanks<B extends Bank>(banks: readonly B[], query: string): B[] {
  const wanted = words(query.slice(0, LONGEST_QUERY));
  const ranked = sortBanks(banks).map((bank) => ({ bank, rank: rank(bank, wanted) }));
  return [0, 1, 2, 3].flatMap((each) => ranked.flatMap(({ bank, rank }) => (rank === each ? bank : [])));
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
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
