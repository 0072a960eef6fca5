/** What was said in the console while something ran; nothing of it reaches the test's own output. */
export async function consoleDuring(method: 'error' | 'warn', run: () => unknown): Promise<string[]> {
  const said: string[] = [];
  const original = console[method];
  console[method] = (...words: unknown[]) => void said.push(words.join(' '));
  try {
    await run();
  } finally {
    console[method] = original;
  }
  return said;
}
