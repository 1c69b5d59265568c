const batchSize = 12;

/** A run waits most of its time, so several share the process. */
export async function inBatches<T>(
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < all.length; at += batchSize)
    await Promise.all(all.slice(at, at + batchSize).map(work));
}
