/** How much a test that draws its cases at random tries: as usual, or what `npm run torture` asks for. */
export const sizeOr = (usual: number): number => Number(process.env['PAY_CHECKOUT_SIZE'] ?? usual);

/** Which cases it draws: its own, or those of the seed that `npm run torture` gives. */
export const seedOr = (usual: number): number => Number(process.env['PAY_CHECKOUT_SEED'] ?? usual);
