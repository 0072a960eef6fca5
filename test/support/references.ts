/** The order that a reference of the kit names: the proof and the random part follow its id. */
export const orderOf = (reference: string): string => reference.replace(/-[^-]+-[^-]+$/, '');
