/** Does all of the work, so many pieces at a time, in the order in which they stand. */
export async function inLanes(lanes: number, work: Iterable<() => Promise<void>>): Promise<void> {
  const waiting = work[Symbol.iterator]();
  const lane = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await next.value();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
