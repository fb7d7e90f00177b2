/**
 * Does `make` so many times: once, then twice at once, then four times … If anything of a batch fails, the batch is awaited, no further
 * one is begun and the first failure is thrown: a quota that is full would refuse all the others as well.
 */
export async function slowStart(count: number, make: (index: number) => Promise<unknown>): Promise<void> {
  let begun = 0
  for (let batch = Math.min(1, count); batch > 0; batch = Math.min(2 * batch, count - begun)) {
    const first = begun
    begun += batch
    await settleAll(Array.from({ length: batch }, (_, index) => make(first + index)))
  }
}

/** Awaits all of them, also when one fails; then throws the first failure. */
export async function settleAll<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(works)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
